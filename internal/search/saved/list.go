package saved

import (
	"context"
	"time"

	"kith"
)

// List is a user's list of people.
type List struct {
	ID   int64
	Name string
	// People is how many people are on it.
	People               int
	CreatedAt, UpdatedAt time.Time
}

// Member is a person on a list.
type Member struct {
	Person kith.Person
	// Seq is the position in the order of addition.
	Seq     int64
	AddedAt time.Time
}

// Named identifies a person by id, or by a profile URL, a social identifier or an e-mail address.
type Named struct {
	ID         int64
	Identifier string
}

// Result is the outcome for a named person.
type Result string

// The results of adding and removing.
const (
	Added     Result = "added"
	Removed   Result = "removed"
	Unchanged Result = "unchanged"
	NotFound  Result = "not_found"
)

// Changed is the outcome for a named person; Person is 0 if nobody was found.
type Changed struct {
	Result Result
	Person int64
}

// ListStore stores lists. A list that the user does not have is NotFound; see [NoList].
type ListStore interface {
	// CreateList creates a list; Conflict if the user already has most lists.
	CreateList(ctx context.Context, a kith.Actor, name string, most int) (List, error)
	ListOf(ctx context.Context, user, list int64) (List, error)
	// ListsOf returns n lists with ids greater than after, oldest first.
	ListsOf(ctx context.Context, user, after int64, n int) ([]List, error)
	RenameList(ctx context.Context, user, list int64, name string) (List, error)
	// DeleteList deletes a list, but not its people.
	DeleteList(ctx context.Context, a kith.Actor, list int64) error
	ListMembers
}

// ListMembers stores the people on lists.
type ListMembers interface {
	// AddPeople adds people to a list, limited to those the user may refer to: records that others share do not
	// count. Conflict if the list would exceed most.
	AddPeople(ctx context.Context, a kith.Actor, list int64, people []Named, most int) ([]Changed, error)
	RemovePeople(ctx context.Context, a kith.Actor, list int64, people []Named) ([]Changed, error)
	// Members returns n people of a list after a position, in the order of addition, limited to those the caller may
	// see.
	Members(ctx context.Context, a kith.Actor, list, after int64, n int) ([]Member, error)
	// MemberIDs returns the ids of all people of a list.
	MemberIDs(ctx context.Context, user, list int64) ([]int64, error)
}

// NoList is the error for a list that a user does not have.
func NoList() error {
	return kith.Errorf(kith.NotFound, "LIST_NOT_FOUND", "you have no list with this id; GET /v2/lists shows yours")
}

// Lists manages the lists of all users. It is safe for concurrent use.
type Lists struct {
	ListStore
	quotas Quotas
}

// NewLists returns the lists in a store.
func NewLists(store ListStore, quotas Quotas) *Lists { return &Lists{store, quotas} }

// Create creates a list.
func (l *Lists) Create(ctx context.Context, a kith.Actor, name string) (List, error) {
	if err := kith.InvalidFields(checkName(name)); err != nil {
		return List{}, err
	}
	return l.CreateList(ctx, a, name, l.quotas.Lists)
}

// Get returns a list.
func (l *Lists) Get(ctx context.Context, a kith.Actor, list int64) (List, error) {
	return l.ListOf(ctx, a.UserID, list)
}

// All returns at most n lists with ids greater than after, and whether there are more.
func (l *Lists) All(ctx context.Context, a kith.Actor, after int64, n int) ([]List, bool, error) {
	list, err := l.ListsOf(ctx, a.UserID, after, n+1)
	page, more := cutPage(list, n)
	return page, more, err
}

// Rename renames a list.
func (l *Lists) Rename(ctx context.Context, a kith.Actor, list int64, name string) (List, error) {
	if err := kith.InvalidFields(checkName(name)); err != nil {
		return List{}, err
	}
	return l.RenameList(ctx, a.UserID, list, name)
}

// Add adds people to a list; entry i of the answer belongs to entry i of people.
func (l *Lists) Add(ctx context.Context, a kith.Actor, list int64, people []Named) ([]Changed, error) {
	return l.AddPeople(ctx, a, list, people, MaxPeople)
}

// People returns at most n people of a list, and whether there are more.
func (l *Lists) People(ctx context.Context, a kith.Actor, list, after int64, n int) ([]Member, bool, error) {
	if _, err := l.ListOf(ctx, a.UserID, list); err != nil {
		return nil, false, err
	}
	members, err := l.Members(ctx, a, list, after, n+1)
	page, more := cutPage(members, n)
	return page, more, err
}

// Entries returns the ids of all people of a list, for a search within it.
func (l *Lists) Entries(ctx context.Context, a kith.Actor, list int64) ([]int64, error) {
	if _, err := l.ListOf(ctx, a.UserID, list); err != nil {
		return nil, err
	}
	return l.MemberIDs(ctx, a.UserID, list)
}
