package elasticindex

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"kith/internal/test/expect"
)

// A record of any content is decoded unchanged, and any truncated answer is an error.
func TestDecodeKeepsRecordsAndRefusesTruncatedAnswers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		record := rapid.OneOf(rapid.String(), rapid.StringMatching(`[a"\\/\n\x00-\x1fé😀{}\[\],:]*`)).Draw(t, "record")
		quoted, err := json.Marshal(record)
		expect.NoError(t, err)
		answer := `{"took":1,"timed_out":false,"hits":{"max_score":null,"hits":[{"_id":"7","_source":{"record":` +
			string(quoted) + `},"sort":[5,7]}]}}`
		hits, err := decodeHits([]byte(answer), 1)
		if err != nil || len(hits) != 1 || hits[0].ID != 7 || hits[0].Sort != 5 || string(hits[0].Record) != record {
			t.Fatalf("%s: %v, %v", answer, hits, err)
		}
		cut := rapid.IntRange(0, len(answer)-1).Draw(t, "cut")
		if hits, err := decodeHits([]byte(answer[:cut]), 1); err == nil {
			t.Fatalf("%s: %v, want an error", answer[:cut], hits)
		}
	})
}
