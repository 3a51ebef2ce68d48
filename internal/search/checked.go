package search

import (
	"cmp"
	"context"

	"kith"
	"kith/query/analysis"
	"kith/query/indexed"
)

// checkedRequest says where in its walk a search starts, and what it returns besides people.
type checkedRequest struct {
	svc       *Service
	viewer    kith.Viewer
	binding   string
	requestID string

	walk   walk
	at     position // where to resume; the zero value on the first page
	resume bool     // a cursor was given
	limit  int
	// resumed is the cursor at which an interrupted page resumes.
	resumed string
	// given are the walk's filters, compiled.
	given analysis.Compiled
	list  *listing

	includeCounts string
	counted       *Counted // from the counts token
	facets        []indexed.Facet
}

// checkRequest reads the cursor and checks everything that needs no plan.
func (s *Service) checkRequest(ctx context.Context, v kith.Viewer, req Request) (_ *checkedRequest, err error) {
	st := &checkedRequest{svc: s, viewer: v, binding: binding(v), requestID: req.RequestID}
	if token := cmp.Or(req.Resume, req.Cursor); token != "" {
		if st.walk, st.at, err = openCursor(s.cfg.Seal, st.binding, token); err != nil {
			return nil, err
		}
		st.resume = true
	} else {
		st.walk = newWalk(req, s.cfg.Now())
	}
	if st.given, err = check(req, st.walk.began()); err != nil {
		return nil, err
	}
	if st.resume {
		if st.given, err = st.continued(req); err != nil {
			return nil, err
		}
		if err := s.checkEpoch(ctx, st.at); err != nil {
			return nil, err
		}
	}
	return st, st.setParameters(req)
}

// continued checks that a request may continue the walk of its cursor, and returns the walk's filters, compiled: the
// request need not repeat them.
func (s *checkedRequest) continued(req Request) (analysis.Compiled, error) {
	if !s.walk.sameSearch(req) {
		return s.given, mismatch()
	}
	if len(req.Filters) > 0 {
		return s.given, nil
	}
	given, problems := analysis.Compile(withoutLike(s.walk.Filters), s.walk.began())
	if len(problems) > 0 {
		return given, planInvalid("the filters of the walk", problems)
	}
	return given, nil
}

// setParameters sets limit, explain, list, counts and facets, which do not depend on the plan.
func (s *checkedRequest) setParameters(req Request) (err error) {
	s.limit = cmp.Or(max(req.Limit, 0), max(s.walk.Limit, 0), DefaultLimit)
	if req.Explain != nil {
		s.walk.Explain = *req.Explain
	}
	if req.Closest != nil {
		s.walk.Closest = req.Closest
	}
	if req.List != nil {
		s.list = newListing(req.List)
	}
	if s.counted, err = s.openCounts(req.CountsToken); err != nil {
		return err
	}
	if req.Resume != "" {
		s.resumed = req.Resume
		if s.limit, err = s.restOfPage(req); err != nil {
			return err
		}
	}
	if !s.resume || req.Resume != "" && req.Cursor == "" {
		s.includeCounts, s.facets = req.IncludeCounts, req.Facets
	}
	return nil
}

// restOfPage is how many people an interrupted page still has. Without the page's cursor, it assumes that all pages
// before it were full.
func (s *checkedRequest) restOfPage(req Request) (int, error) {
	came := s.at.Number
	if req.Cursor != "" {
		_, began, err := openCursor(s.svc.cfg.Seal, s.binding, req.Cursor)
		if err != nil {
			return 0, err
		}
		came -= began.Number
	}
	if came < 0 {
		return 0, mismatch()
	}
	if came > s.limit {
		came = (came-1)%s.limit + 1
	}
	return s.limit - came, nil
}

// sameModeAndScope reports whether mode and scope of a request with a cursor equal those of the walk, as requested or
// as resolved. Absent ones always match.
func (s *checkedRequest) sameModeAndScope(req Request, mode Mode, scope string) bool {
	sameMode := req.Mode == "" || req.Mode == Auto || req.Mode == s.walk.Mode || req.Mode == mode
	return sameMode && (req.Scope == "" || req.Scope == scope)
}
