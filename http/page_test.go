package http_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"kith/internal/test/expect"
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
			"/v2/sequences/activities", "decision=maybe&limit=ten&order=up&page=2",
			"decision INVALID_VALUE, limit OUT_OF_RANGE, order INVALID_VALUE, page UNKNOWN_FIELD",
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

// The pages of each order have all activities once.
func TestActivitiesAreListedInBothOrders(t *testing.T) {
	t.Parallel()
	f, s, leads := outreachFixture(t)
	for i, lead := range leads {
		f.call(http.MethodPost, "/v2/sequences/"+s.ID+"/leads/"+lead.ID+"/emails",
			fmt.Sprintf(`{"subject":"%d","body":"Hello"}`, i+1), f.bearer()).wants(t, http.StatusOK, "")
	}
	for query, want := range map[string]string{
		"limit=2": "1 2 3", "limit=2&order=oldest": "1 2 3", "limit=2&order=newest": "3 2 1",
		"limit=2&order=newest&decision=null": "3 2 1",
	} {
		var got []string
		for cursor, more := "", true; more; {
			page := f.call(http.MethodGet, "/v2/sequences/activities?"+query+"&cursor="+cursor, "", f.bearer()).
				wants(t, http.StatusOK, "").envelope(t)
			var data struct{ Activities []activityData }
			expect.NoError(t, json.Unmarshal(page.Data, &data))
			for _, a := range data.Activities {
				got = append(got, a.Email.Subject)
			}
			cursor, more = page.Pagination.Cursor, page.Pagination.HasNextPage
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: got %q, want %q", query, got, want)
		}
	}
}
