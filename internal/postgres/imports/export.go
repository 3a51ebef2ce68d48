package imports

import (
	"context"
	"io"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"kith"
	"kith/internal/imports/loader"
	"kith/internal/network"
	"kith/internal/postgres/access"
	"kith/internal/postgres/conn"
	recordsql "kith/internal/postgres/record"
)

// exportedAtOnce is how many people an export reads at a time.
const exportedAtOnce = 500

// SequenceExport writes the sequences of a user with the leads whose identifiers, by id of the person, are in names.
type SequenceExport func(ctx context.Context, in *recordsql.Store, tx pgx.Tx, user int64, names map[int64]string,
	out *loader.ExportWriter) error

// Export writes a user's data in the format of [loader.Loader]: people with their companies, relationships,
// contacts and sequences. The people are the user's own and those the user knows or writes to, if still visible. It
// is a consistent snapshot, recorded in the audit.
func Export(
	ctx context.Context,
	db *recordsql.Store,
	log *access.Audit,
	v kith.Viewer,
	w io.Writer,
	sequences SequenceExport,
) error {
	actor, ok := v.User()
	if !ok {
		return kith.Errorf(kith.Unauthorized, "TOKEN_MISSING", "an export is that of a user; sign in")
	}
	e := &export{viewer: v, sequences: sequences, user: actor.UserID, names: map[int64]string{}}
	err := db.InSnapshot(ctx, "export", func(tx pgx.Tx) error {
		e.db = db.In(db.Within(tx))
		return e.write(ctx, tx, w)
	})
	if err != nil {
		return err
	}
	return log.Note(ctx, v.Principal(), "user.exported", "user "+actor.ExternalID,
		map[string]any{"people": len(e.names), "lines": e.out.Lines()})
}

// export is an export under way.
type export struct {
	db        *recordsql.Store // in the transaction of the export
	sequences SequenceExport
	user      int64
	viewer    kith.Viewer
	seen      access.Sight
	out       *loader.ExportWriter
	// names are the identifiers of exported people, by id.
	names map[int64]string
}

func (e *export) write(ctx context.Context, tx pgx.Tx, w io.Writer) (err error) {
	if e.seen, err = access.VisibleOwners(ctx, tx, e.viewer); err != nil {
		return err
	}
	people, err := e.people(ctx, tx)
	if err != nil {
		return err
	}
	if err := e.begin(ctx, tx, w); err != nil {
		return err
	}
	if err := e.writeCompanies(ctx, tx, people); err != nil {
		return err
	}
	for ids := range slices.Chunk(people, exportedAtOnce) {
		if err := e.writePeople(ctx, tx, ids); err != nil {
			return err
		}
	}
	if err := e.writeRelations(ctx, tx); err != nil {
		return err
	}
	if err := e.writeContacts(ctx, tx); err != nil {
		return err
	}
	if err := e.sequences(ctx, e.db, tx, e.user, e.names, e.out); err != nil {
		return err
	}
	return e.out.Close()
}

// people returns the ids of the people to export.
func (e *export) people(ctx context.Context, tx pgx.Tx) ([]int64, error) {
	return conn.Collect(ctx, tx, "people of a user", pgx.RowTo[int64],
		`select p.id from people p where p.owner = any($2)
		and p.id in (
			select id from people where owner = $3
			union select person_id from relationships where user_id = $1
			union select person_id from contacts where user_id = $1
			union select person_id from leads where user_id = $1
			union select person_id from users where id = $1)
		order by p.id`, e.user, []string(e.seen), access.UserOwner(e.user))
}

// begin writes the head, which identifies the user's own person.
func (e *export) begin(ctx context.Context, tx pgx.Tx, w io.Writer) error {
	var head loader.Head
	var self *int64
	err := tx.QueryRow(ctx, "select a.name, u.external_id, u.person_id from users u join apps a on a.id = u.app_id "+
		"where u.id = $1", e.user).
		Scan(&head.App, &head.ExternalUserID, &self)
	if err != nil {
		return err
	}
	if self != nil {
		stored, err := e.db.People(ctx, e.viewer, []int64{*self})
		if err != nil {
			return err
		}
		for i := range stored {
			head.Self = loader.ExportIdentifier(&stored[i])
		}
	}
	e.out, err = loader.NewExportWriter(w, head)
	return err
}

// writeCompanies writes the caller's companies and the employers of the people.
func (e *export) writeCompanies(ctx context.Context, tx pgx.Tx, people []int64) error {
	ids, err := conn.Collect(ctx, tx, "companies of a user", pgx.RowTo[int64], `select c.id from companies c
		where c.owner = any($2) and c.id in (
			select unnest(p.company_ids) from people p where p.id = any($1) union select id from companies
			where owner = $3)
		order by c.id`, people, []string(e.seen), access.UserOwner(e.user))
	if err != nil {
		return err
	}
	for some := range slices.Chunk(ids, exportedAtOnce) {
		companies, err := e.db.Companies(ctx, some)
		if err != nil {
			return err
		}
		for _, c := range companies {
			if err := e.out.Company(c); err != nil {
				return err
			}
		}
	}
	return nil
}

// writePeople writes people, including the addresses that only the caller has.
func (e *export) writePeople(ctx context.Context, tx pgx.Tx, ids []int64) error {
	stored, err := e.db.People(ctx, e.viewer, ids)
	if err != nil {
		return err
	}
	days, known := map[int64]time.Time{}, map[int64][]string{}
	var id int64
	var day time.Time
	var addresses []string
	err = conn.ForEach(ctx, tx, "days of people", []any{&id, &day, &addresses}, func() error {
		days[id], known[id] = day, slices.Clone(addresses)
		return nil
	}, `select p.id, coalesce(p.as_of, p.updated_at), array(select email from known_addresses k where k.user_id = $2
		and k.person_id = p.id order by email)
		from people p where p.id = any($1)`, ids, e.user)
	if err != nil {
		return err
	}
	for i := range stored {
		p := &stored[i]
		e.names[p.ID] = loader.ExportIdentifier(p)
		if p.Emails = append(p.Addresses(), known[p.ID]...); len(p.Emails) > 0 {
			p.Email = p.Emails[0]
			p.Emails = p.Addresses()
		}
		if len(p.Emails) < 2 {
			p.Emails = nil
		}
		if err := e.out.Person(*p, days[p.ID]); err != nil {
			return err
		}
	}
	return nil
}

// writeRelations writes relationships with their given scores: the rest follows from contacts and careers.
func (e *export) writeRelations(ctx context.Context, tx pgx.Tx) error {
	var person int64
	var score float64
	var kinds int16
	var since *network.Day
	return conn.ForEach(ctx, tx, "relationships of a user", []any{&person, &score, &kinds, &since}, func() error {
		r := loader.Relation{Identifier: e.names[person], Score: &score}
		if since != nil {
			r.ConnectedOn = network.Date(*since)
		}
		for _, k := range network.KindSet(kinds).List() {
			r.Types = append(r.Types, string(k))
		}
		if r.Identifier == "" {
			return nil
		}
		return e.out.Relation(r)
	}, "select person_id, coalesce(given, score), kinds, since from relationships where user_id = $1 order by "+
		"person_id", e.user)
}

// writeContacts writes contacts by month, without those with oneself from before it was known who the user is.
func (e *export) writeContacts(ctx context.Context, tx pgx.Tx) error {
	var person int64
	var kind int16
	var first, last network.Day
	var c loader.Contact
	return conn.ForEach(ctx, tx, "contacts of a user", []any{&person, &kind, &c.Outgoing, &c.Incoming, &first, &last},
		func() error {
			kinds := network.ContactKinds()
			if c.Identifier = e.names[person]; c.Identifier == "" || int(kind) >= len(kinds) {
				return nil
			}
			c.Kind, c.First, c.Last = string(kinds[kind]), network.Date(first), network.Date(last)
			return e.out.Contact(c)
		}, `select person_id, kind, outgoing, incoming, first_day, last_day from contacts where user_id = $1
			and person_id is distinct from (select person_id from users where id = $1)
		order by person_id, kind, month`, e.user)
}
