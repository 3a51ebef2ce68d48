package record

import (
	"testing"

	"kith"
	"kith/internal/record"
)

// The cache never exceeds its size, however long records are. It holds thousands of companies of the usual length.
func TestCompanyCacheIsBoundedInBytes(t *testing.T) {
	company := func(id int64, bytes int) cachedCompany {
		return cachedCompany{row: record.CompanyRow{Company: kith.Company{ID: id}}, version: id, bytes: bytes}
	}
	for name, tt := range map[string]struct{ bytes, least, most int }{
		"of the usual length": {200, 20_000, 25_000},
		"of a megabyte":       {1 << 20, 10, 24},
	} {
		var c companyCache
		var put []companyVersion
		for id := int64(1); id <= 30_000; id++ {
			c.put([]cachedCompany{company(id, tt.bytes)})
			c.put([]cachedCompany{company(id, tt.bytes)}) // a repeated entry takes no more memory
			put = append(put, companyVersion{ID: id, Version: id})
		}
		found, missing := c.get(put)
		if len(found) < tt.least || len(found) > tt.most || len(found)+len(missing) != len(put) {
			t.Errorf("%s: %d companies are cached", name, len(found))
		}
	}
}
