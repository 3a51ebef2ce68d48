package http_test

import (
	"net/http"
	"strings"
	"testing"
)

// The server reports all problems of a list's query and path at once.
func TestListsReportEveryProblem(t *testing.T) {
	t.Parallel()
	f, s, leads := outreachFixture(t)
	sequence := "/v2/sequences/" + s.ID
	for _, tt := range []struct{ path, query, want string }{
		{"/v2/sequences", "limit=0&pages=2", "limit OUT_OF_RANGE, pages UNKNOWN_FIELD"},
		{
			"/v2/sequences", "status=active&limit=101&limit=1&cursor=a&cursor=b",
			"cursor REPEATED, limit REPEATED, status UNKNOWN_FIELD",
		},
		{
			"/v2/sequences/activities", "decision=maybe&limit=ten&page=2",
			"decision INVALID_VALUE, limit OUT_OF_RANGE, page UNKNOWN_FIELD",
		},
		{"/v2/sequences/activities", "decision=&decision=null&limit=0", "decision REPEATED, limit OUT_OF_RANGE"},
		{sequence + "/leads", "status=gone&limit=0&cursor=x", "limit OUT_OF_RANGE, status INVALID_VALUE"},
		{sequence + "/emails", "status=&limit=-1", "limit OUT_OF_RANGE, status INVALID_VALUE"},
		{
			"/v2/sequences/nothing/leads", "status=gone&limit=0",
			"sequence_id INVALID_ID, limit OUT_OF_RANGE, status INVALID_VALUE",
		},
		{
			sequence + "/leads/" + leads[0].ID + "/history", "limit=0&status=active",
			"limit OUT_OF_RANGE, status UNKNOWN_FIELD",
		},
		{"/v2/user/relationships", "limit=1.5&min_score=1", "limit OUT_OF_RANGE, min_score UNKNOWN_FIELD"},
	} {
		res := f.call(http.MethodGet, tt.path+"?"+tt.query, "", f.bearer()).wants(t, http.StatusUnprocessableEntity,
			"VALIDATION_FAILED")
		var got []string
		for _, p := range res.envelope(t).Error.Errors {
			got = append(got, p.Field+" "+p.Code)
			if p.Code == "INVALID_VALUE" && !strings.HasPrefix(p.Message, "must be ") {
				t.Errorf("%s: %s", tt.query, p.Message)
			}
			if p.Code == "UNKNOWN_FIELD" && !strings.HasPrefix(p.Message,
				"is not a known parameter; use one of cursor, limit") {
				t.Errorf("%s: %s", tt.query, p.Message)
			}
		}
		if strings.Join(got, ", ") != tt.want {
			t.Errorf("%s?%s: got %q, want %q", tt.path, tt.query, got, tt.want)
		}
	}
}
