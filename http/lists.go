package http

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"kith"
	"kith/client"
	"kith/http/strict"
	"kith/internal/access/publicid"
	"kith/internal/search"
	"kith/internal/search/saved"
)

func newPeopleListAnswer(ids *publicid.Codec, l saved.List) client.List {
	return client.List{
		ID: ids.Seal(publicid.List, l.ID), Name: l.Name, People: l.People, CreatedAt: l.CreatedAt,
		UpdatedAt: l.UpdatedAt,
	}
}

// listLists answers GET /v2/lists.
func listLists(w http.ResponseWriter, r *http.Request) error {
	c := callerFrom(r.Context())
	return answerList(w, r, nil, newListing(c, "lists", ""), func(after int64, n int) ([]saved.List, bool, error) {
		return c.dataset.Lists.All(r.Context(), c.actor, after, n)
	}, func(l saved.List) (client.List, int64) { return newPeopleListAnswer(c.dataset.IDs, l), l.ID })
}

// createList answers POST /v2/lists.
func createList(w http.ResponseWriter, r *http.Request) (write, error) {
	c := callerFrom(r.Context())
	change, v, err := readWrite(w, r, smallBody, asIs)
	change.aboutNobody = true
	change.do = func(ctx context.Context, in *Services) (any, error) {
		l, err := in.Lists.Create(ctx, c.actor, v.String("name"))
		return newPeopleListAnswer(c.dataset.IDs, l), err
	}
	return change, err
}

// getList answers GET /v2/lists/{id}.
func getList(r *http.Request) (any, error) {
	c, id, err := pathID(r, publicid.List)
	if err != nil {
		return nil, err
	}
	l, err := c.dataset.Lists.Get(r.Context(), c.actor, id)
	return newPeopleListAnswer(c.dataset.IDs, l), err
}

// renameList answers PATCH /v2/lists/{id}.
func renameList(w http.ResponseWriter, r *http.Request) (write, error) {
	c, ids := callerFrom(r.Context()), newPathIDs(r)
	id := ids.open(publicid.List, "id")
	change, v, err := readWrite(w, r, smallBody, asIs)
	change.aboutNobody = true
	change.do = func(ctx context.Context, in *Services) (any, error) {
		if name := stringMember[string](v, "name"); name != nil {
			l, err := in.Lists.Rename(ctx, c.actor, id, *name)
			return newPeopleListAnswer(c.dataset.IDs, l), err
		}
		l, err := in.Lists.Get(ctx, c.actor, id)
		return newPeopleListAnswer(c.dataset.IDs, l), err
	}
	return change, ids.with(err)
}

// deleteList answers DELETE /v2/lists/{id}.
func deleteList(r *http.Request) (any, error) {
	return deleteSaved(r, publicid.List, callerFrom(r.Context()).dataset.Lists.DeleteList)
}

// deleteSaved deletes something that a user has saved.
func deleteSaved(
	r *http.Request, kind publicid.Kind, do func(context.Context, kith.Actor, int64) error,
) (any, error) {
	c, id, err := pathID(r, kind)
	if err != nil {
		return nil, err
	}
	return deletedAnswer{ID: c.dataset.IDs.Seal(kind, id), Deleted: true}, do(r.Context(), c.actor, id)
}

// memberAnswer is a person on a list.
type memberAnswer struct {
	ID        int64     `json:"id"`
	FullName  string    `json:"full_name"`
	Headline  string    `json:"headline"`
	SocialURL *string   `json:"social_url"`
	AddedAt   time.Time `json:"added_at"`
}

// listPeople answers GET /v2/lists/{id}/people.
func listPeople(w http.ResponseWriter, r *http.Request) error {
	c, ids := callerFrom(r.Context()), newPathIDs(r)
	id := ids.open(publicid.List, "id")
	list := newListing(c, "people of a list", strconv.FormatInt(id, 10))
	return answerList(w, r, ids, list, func(after int64, n int) ([]saved.Member, bool, error) {
		return c.dataset.Lists.People(r.Context(), c.actor, id, after, n)
	}, func(m saved.Member) (memberAnswer, int64) {
		p := m.Person
		return memberAnswer{
			ID: p.ID, FullName: p.FullName, Headline: p.Headline, SocialURL: textOrNull(p.SocialURL),
			AddedAt: m.AddedAt,
		}, m.Seq
	})
}

// addToList answers POST /v2/lists/{id}/people.
func addToList(w http.ResponseWriter, r *http.Request) (write, error) {
	return changePeople(w, r, (*saved.Lists).Add)
}

// removeFromList answers DELETE /v2/lists/{id}/people.
func removeFromList(w http.ResponseWriter, r *http.Request) (write, error) {
	return changePeople(w, r, (*saved.Lists).RemovePeople)
}

func changePeople(
	w http.ResponseWriter, r *http.Request,
	do func(*saved.Lists, context.Context, kith.Actor, int64, []saved.Named) ([]saved.Changed, error),
) (write, error) {
	c, ids := callerFrom(r.Context()), newPathIDs(r)
	id := ids.open(publicid.List, "id")
	change, people, err := readWrite(w, r, relationBody, readPeople)
	change.do = func(ctx context.Context, in *Services) (any, error) {
		wanted := make([]saved.Named, len(people))
		for i, item := range people {
			wanted[i].ID, wanted[i].Identifier = personNamed(item)
		}
		changed, err := do(in.Lists, ctx, c.actor, id, wanted)
		return newChangedAnswer(people, changed), err
	}
	return change, ids.with(err)
}

func newChangedAnswer(asked []strict.Value, changed []saved.Changed) client.ListChange {
	out := client.ListChange{Results: make([]client.ListedChange, len(changed))}
	for i, ch := range changed {
		out.Results[i] = client.ListedChange{
			Identifier: asked[i].Text, Status: string(ch.Result), PersonID: ch.Person,
		}
		out.Summary.Processed++
		switch ch.Result {
		case saved.Added, saved.Removed:
			out.Summary.Changed++
		case saved.Unchanged:
			out.Summary.Unchanged++
		case saved.NotFound:
			out.Summary.NotFound++
		}
	}
	return out
}

// findListEntries returns the people of one of the caller's lists, in the form for a search.
func findListEntries(ctx context.Context, text string) ([]search.ListEntry, error) {
	c := callerFrom(ctx)
	const field = "specific_list_data." + listMember
	id, err := c.dataset.IDs.Open(publicid.List, field, text)
	if err != nil {
		return nil, err
	}
	people, err := c.dataset.Lists.Entries(ctx, c.actor, id)
	if kith.KindOf(err) == kith.NotFound {
		return nil, kith.InvalidFields([]kith.FieldError{{
			Field: field, Code: "LIST_NOT_FOUND",
			Message: "must be the id of one of your lists; GET /v2/lists shows them",
		}})
	}
	if err != nil {
		return nil, err
	}
	return kith.Each(people, func(person int64) search.ListEntry {
		return search.ListEntry{ID: strconv.FormatInt(person, 10), Number: true}
	}), nil
}
