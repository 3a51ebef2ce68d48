package http_test

import (
	"fmt"
	"math/rand/v2"

	"pgregory.net/rapid"

	"kith/internal/network"
	"kith/internal/test/expect"
)

// worlds are the full world and the part of it that the caller, user 0, may see.
type worlds struct {
	whole, seen *isolated
	knows       [worldUsers]map[int]float64
	sharing     [worldUsers]network.Sharing
	teams       [worldUsers]map[string]bool
	// shown marks the users whose relationships are in both worlds.
	shown [worldUsers]bool
}

func (w *worlds) both(f func(*isolated)) { f(w.whole); f(w.seen) }

// visible reports whether the caller may see the relationships of another user, by the rules of the API: the user
// shares them, with a common team or with the community of the app, and the caller knows that user.
func (w *worlds) visible(user int) bool {
	if user == 0 {
		return true
	}
	if _, known := w.knows[0][user+1]; !known || appOf(user) != appOf(0) || w.sharing[user] == network.ShareNone {
		return false
	}
	for team := range w.teams[user] {
		if w.teams[0][team] {
			return true
		}
	}
	return w.sharing[user] == network.ShareCommunity
}

// settle updates the second world to what the caller may see now. Relationships that it hides there do not count
// as withdrawn.
func (w *worlds) settle() {
	defer w.levelWithdrawn()
	for user := range worldUsers {
		visible := w.visible(user)
		if visible == w.shown[user] {
			continue
		}
		w.shown[user] = visible
		if visible {
			w.seen.meet(user, w.knows[user])
			continue
		}
		for person := range w.knows[user] {
			w.seen.part(user, int64(person))
		}
	}
}

// levelWithdrawn copies each user's count of withdrawals to the second world. A withdrawal ends walks over the
// user's shared data, even if the user shared nothing at that moment.
func (w *worlds) levelWithdrawn() {
	for user, actor := range w.whole.actors {
		var withdrawn int64
		ctx := w.whole.t.Context()
		expect.NoError(w.whole.t, w.whole.db.Pool().QueryRow(ctx, "select withdrawn from users where id = $1",
			actor.UserID).Scan(&withdrawn))
		if _, err := w.seen.db.Pool().Exec(ctx, "update users set withdrawn = $2 where id = $1",
			w.seen.actors[user].UserID, withdrawn); err != nil {
			w.seen.t.Fatal(err)
		}
	}
}

func sharings() []network.Sharing {
	return []network.Sharing{network.ShareNone, network.ShareTeam, network.ShareCommunity}
}

func (w *worlds) meet(user int, people map[int]float64) {
	w.whole.meet(user, people)
	if w.shown[user] {
		w.seen.meet(user, people)
	}
}

func (w *worlds) share(user int, s network.Sharing) {
	w.sharing[user] = s
	w.both(func(i *isolated) {
		expect.NoError(i.t, i.nets.SetSharing(i.t.Context(), i.actors[user], s))
	})
}

// begin gives each user some relationships.
func (w *worlds) begin(r *rand.Rand) {
	w.both((*isolated).reset)
	for user := range worldUsers {
		w.knows[user], w.teams[user], w.shown[user] = map[int]float64{}, map[string]bool{}, user == 0
		for range 1 + r.IntN(3) {
			w.knows[user][1+r.IntN(worldPeople)] = float64(r.IntN(21)) / 2
		}
		for other := range worldUsers {
			if other != user && r.IntN(3) > 0 {
				w.knows[user][other+1] = float64(r.IntN(21)) / 2
			}
		}
		w.meet(user, w.knows[user])
		w.share(user, sharings()[r.IntN(3)])
		if r.IntN(2) == 0 {
			w.move(user, []string{"red", "blue"}[r.IntN(2)])
		}
	}
	w.settle()
}

// act performs a random action.
func (w *worlds) act(t *rapid.T) {
	user := rapid.IntRange(0, worldUsers-1).Draw(t, "user")
	person := rapid.IntRange(1, worldPeople).Draw(t, "person")
	score := float64(rapid.IntRange(0, 20).Draw(t, "score")) / 2
	switch rapid.IntRange(0, 7).Draw(t, "act") {
	case 0, 1, 2:
		if rapid.Bool().Draw(t, "a user") {
			person = 1 + person%worldUsers
		}
		w.knows[user][person] = score
		w.meet(user, map[int]float64{person: score})
	case 3:
		delete(w.knows[user], person)
		w.whole.part(user, int64(person))
		if w.shown[user] {
			w.seen.part(user, int64(person))
		}
	case 4:
		w.share(user, rapid.SampledFrom(sharings()).Draw(t, "sharing"))
	case 5, 6:
		w.move(user, rapid.SampledFrom([]string{"red", "blue"}).Draw(t, "team"))
	case 7:
		el := []network.Element{{Identifier: fmt.Sprint("p", person), Score: &score}}
		if _, err := w.whole.demoNets.Import(w.whole.t.Context(), w.whole.demo, el, 5); err != nil {
			w.whole.t.Fatal(err)
		}
	}
	w.settle()
}

// move puts a user into a team, or removes the user from it.
func (w *worlds) move(user int, team string) {
	in := !w.teams[user][team]
	delete(w.teams[user], team)
	if in {
		w.teams[user][team] = true
	}
	w.both(func(i *isolated) {
		change := i.db.Network().RemoveMember
		if in {
			change = i.db.Network().AddMember
		}
		expect.NoError(i.t, change(i.t.Context(), i.apps[appOf(user)].ID, team, i.actors[user].ExternalID))
	})
}
