package record

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"kith/internal/postgres/conn"
	"kith/internal/record"
)

// cachedCompanies is the size of the cache in bytes: some 20,000 companies, fewer if they have long descriptions; a
// record may have up to a megabyte.
const cachedCompanies = 24 << 20

// companyOverhead is the memory of a company besides its texts, in bytes.
const companyOverhead = 1 << 10

// companyCache caches decoded companies. Thousands of people share a few employers; reading these again for every batch
// took more than half of the time of loading. The cache is never stale: every look-up names the version that Postgres
// has at that moment.
type companyCache struct {
	mu   sync.Mutex
	byID map[int64]cachedCompany
	// bytes is their approximate size.
	bytes int
}

type cachedCompany struct {
	row     record.CompanyRow
	version int64
	owner   string
	// bytes is the length of the record.
	bytes int
}

// companyVersion is the result of a query that selects companies.
type companyVersion struct{ ID, Version int64 }

// get returns the cached companies with exactly these versions, and the ids of the others.
func (c *companyCache) get(wanted []companyVersion) (found []cachedCompany, missing []int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, w := range wanted {
		if have, ok := c.byID[w.ID]; ok && have.version == w.Version {
			found = append(found, have)
		} else {
			missing = append(missing, w.ID)
		}
	}
	return found, missing
}

func (c *companyCache) put(read []cachedCompany) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byID == nil {
		c.byID = make(map[int64]cachedCompany)
	}
	for _, r := range read {
		c.drop(r.row.Company.ID)
		c.byID[r.row.Company.ID] = r
		c.bytes += r.bytes + companyOverhead
	}
	// Map order evicts almost randomly, which is good enough.
	for id := range c.byID {
		if c.bytes <= cachedCompanies {
			return
		}
		c.drop(id)
	}
}

func (c *companyCache) drop(id int64) {
	if have, ok := c.byID[id]; ok {
		delete(c.byID, id)
		c.bytes -= have.bytes + companyOverhead
	}
}

// readCompanies returns the companies that a query of (id, version) selects, in its order. Callers share the result and
// must not change it.
func (db *Store) readCompanies(ctx context.Context, tx pgx.Tx, query string, args ...any) ([]cachedCompany, error) {
	wanted, err := conn.Collect(ctx, tx, "read companies", pgx.RowToStructByPos[companyVersion], query, args...)
	if err != nil {
		return nil, err
	}
	found, missing := db.companies.get(wanted)
	if len(missing) == 0 {
		return found, nil
	}
	read, err := fetchCompanies(ctx, tx, missing)
	if err != nil {
		return nil, err
	}
	// No version is used twice, not even after a rollback, so what this transaction read can be cached.
	db.companies.put(read)
	found = append(found, read...)
	place := make(map[int64]int, len(wanted))
	for i, w := range wanted {
		place[w.ID] = i
	}
	slices.SortFunc(found, func(a, b cachedCompany) int {
		return cmp.Compare(place[a.row.Company.ID], place[b.row.Company.ID])
	})
	return found, nil
}

func fetchCompanies(ctx context.Context, tx pgx.Tx, ids []int64) ([]cachedCompany, error) {
	var read []cachedCompany
	var c cachedCompany
	var id int64
	var record []byte
	targets := []any{
		&id, &c.row.SocialKey, &c.row.DomainKey, &c.row.NameKey, (*pgtype.DriverBytes)(&record), &c.row.Rank,
		&c.version, &c.owner,
	}
	err := conn.ForEach(ctx, tx, "read companies", targets, func() (err error) {
		c.row.Company, err = decodeCompany(id, record)
		c.bytes = len(record)
		read = append(read, c)
		return err
	}, `select c.id, coalesce(social_key, ''), coalesce(domain_key, ''), name_key, record, rank, version, owner
		from unnest($1::bigint[]) as wanted (id) join companies c on c.id = wanted.id`, ids)
	return read, err
}
