package boards_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/live"
)

// copies reads the copies of some users, and the generation.
func copies(t *testing.T, store *live.Store, users ...string) (map[string]string, string) {
	t.Helper()
	texts, generation, err := store.Profiles(t.Context(), users)
	if err != nil {
		t.Fatal(err)
	}
	return texts, generation
}

func set(t *testing.T, store *live.Store, generation string, texts map[string]string) bool {
	t.Helper()
	done, err := store.SetProfiles(t.Context(), generation, texts)
	if err != nil {
		t.Fatal(err)
	}
	return done
}

func drop(t *testing.T, store *live.Store, users ...string) {
	t.Helper()
	if err := store.DropProfiles(t.Context(), users...); err != nil {
		t.Fatal(err)
	}
}

// Of two copies the newer one stays, in whatever order they come; what is stored
// is as keys.go tells.
func TestTheNewerCopyStays(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	store := live.New(client, harness.UTC(), 1)
	_, generation := copies(t, store)
	for _, c := range []struct{ given, want string }{
		{"0", "0"},
		{"2 {b}", "2 {b}"},
		{"1 {a}", "2 {b}"},
		{"2 {b}", "2 {b}"},
		{"0", "2 {b}"},
		{"10 {j}", "10 {j}"}, // by number and not by letter
		{"9 {i}", "10 {j}"},
		{"9007199254740991 {z}", "9007199254740991 {z}"},
	} {
		for range 2 {
			if !set(t, store, generation, map[string]string{"ada": c.given, "bob": "1 {bob}"}) {
				t.Fatalf("%q was not set", c.given)
			}
			want := map[string]any{"laurel:{0}:profiles": map[string]string{"ada": c.want, "bob": "1 {bob}"}}
			if diff := cmp.Diff(want, harness.Everything(t, client)); diff != "" {
				t.Errorf("after %q (-want +got):\n%s", c.given, diff)
			}
		}
	}
	client.HSet(t.Context(), "laurel:{0}:profiles", "ada", "damaged")
	if set(t, store, generation, map[string]string{"ada": "0"}); client.HGet(t.Context(), "laurel:{0}:profiles",
		"ada").Val() != "0" {
		t.Error("what is no copy stays")
	}
}

// Copies are read and dropped for users of any kind in any number of shards.
func TestCopiesOfAllShards(t *testing.T) {
	t.Parallel()
	for _, shards := range []int{1, 2, 7} {
		client := testserver.Redis(t)
		store := live.New(client, harness.UTC(), shards)
		users := append(slices.Clone(awkward), "nobody")
		texts := map[string]string{}
		for i := range 1_300 { // more than one script sets
			users = append(users, fmt.Sprint("user-", i))
			texts[users[len(users)-1]] = fmt.Sprintf(`%d {"name":"%d"}`, i+1, i)
		}
		for _, user := range awkward {
			texts[user] = "1 " + user
		}
		_, generation := copies(t, store)
		if !set(t, store, generation, texts) {
			t.Fatal("they were not set")
		}
		got, same := copies(t, store, users...)
		if diff := cmp.Diff(texts, got); diff != "" || same != generation {
			t.Errorf("%d shards, generation %q after %q: (-set +got)\n%s", shards, same, generation, diff)
		}
		drop(t, store, users...)
		got, next := copies(t, store, users...)
		if len(got) != 0 || next == generation {
			t.Errorf("%d shards: %d are left after a drop, in generation %q after %q", shards, len(got), next, generation)
		}
		for key, value := range harness.Everything(t, client) {
			if fields, ok := value.(map[string]string); !ok || len(fields) != 1 {
				t.Errorf("%s is left as %v", key, value)
			}
		}
	}
}

// Who has read a profile before its user was erased does not set it afterwards.
func TestACopyOfSomebodyErasedIsNotSet(t *testing.T) {
	t.Parallel()
	store := live.New(testserver.Redis(t), harness.UTC(), 3)
	_, generation := copies(t, store)
	drop(t, store, "ada")
	if set(t, store, generation, map[string]string{"ada": "7 {ada}"}) {
		t.Error("it says that it is set")
	}
	got, generation := copies(t, store, "ada")
	if len(got) != 0 {
		t.Errorf("it is set: %v", got)
	}
	if !set(t, store, generation, map[string]string{"ada": "1 {ada}"}) {
		t.Error("one that was read later is not set")
	}
	set(t, store, generation, map[string]string{"": "9 {}", "bob": "1 {bob}"})
	if _, same := copies(t, store); same != generation {
		t.Errorf("generation %q after %q: nobody has the id of the generation", same, generation)
	}
	for _, generation := range []string{"", ",", ",,,"} {
		if _, err := store.SetProfiles(t.Context(), generation, map[string]string{"ada": "1 {ada}"}); err == nil {
			t.Errorf("generation %q of three shards was taken", generation)
		}
	}
}

// Reading fills no shard with users that have no profile, as anybody can be followed; whoever
// has one is copied, and nobody makes room.
func TestCopiesWithoutProfilesAreBounded(t *testing.T) {
	t.Parallel()
	store, client, tape := harness.Taped(t)
	drop(t, store, "nobody")
	_, generation := copies(t, store)
	tape.Take()
	texts := map[string]string{"ada": "1 {}"}
	for range 2 { // the second time its script is known
		set(t, store, generation, texts)
	}
	args := tape.Take()[0]
	if args[5] != 1<<20 {
		t.Errorf("a shard may have %v", args[5])
	}
	args[5] = 4 // the generation, ada, and two more
	for i, c := range []struct{ user, text, want string }{
		{"bob", "0", "0"},
		{"eve", "0", "0"},
		{"zoe", "0", ""},
		{"zoe", "1 {}", "1 {}"},
		{"zoe", "2 {}", "2 {}"},
		{"ann", "1 {}", "1 {}"},
		{"kim", "0", ""},
		{"ada", "1 {}", "1 {}"},
	} {
		args[6], args[7] = c.user, c.text
		if err := client.Do(t.Context(), args...).Err(); err != nil {
			t.Fatal(err)
		}
		if got := client.HGet(t.Context(), "laurel:{0}:profiles", c.user).Val(); got != c.want {
			t.Errorf("step %d: the copy of %s is %q after %q", i, c.user, got, c.text)
		}
	}
}

// A table of profiles as the archive is one, and its race with the copies.
type truth struct {
	mu       sync.Mutex
	versions map[string]int64 // 0: none
}

// change gives a user a new profile; erased ones begin anew.
func (tr *truth) change(user string) string {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	tr.versions[user]++
	return tr.text(user)
}

func (tr *truth) erase(user string) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	tr.versions[user] = 0
}

func (tr *truth) read(user string) string {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	return tr.text(user)
}

func (tr *truth) text(user string) string {
	if tr.versions[user] == 0 {
		return "0"
	}
	return fmt.Sprintf("%d {%s}", tr.versions[user], user)
}

// Whatever writers, fillers and erasures do beside each other, in the end a copy is
// the table's or is not there: never an older one, never one of somebody erased.
func TestCopiesRaceWithTheTable(t *testing.T) {
	t.Parallel()
	for _, shards := range []int{1, 3} {
		client := testserver.Redis(t)
		table := &truth{versions: map[string]int64{}}
		users := []string{"ada", "bob", "eve", "zoe", "max"}
		var all sync.WaitGroup
		for n := range 12 {
			store, rng := live.New(client, harness.UTC(), shards), rand.New(rand.NewPCG(uint64(n), 1))
			all.Go(func() {
				for range 60 {
					user := users[rng.IntN(len(users))]
					switch n % 6 {
					case 0, 1:
						write(t, store, table, user)
					case 2, 3, 4:
						_, generation := copies(t, store, user)
						text := table.read(user)
						set(t, store, generation, map[string]string{user: text})
					case 5:
						table.erase(user)
						drop(t, store, user)
					}
				}
			})
		}
		all.Wait()
		store := live.New(client, harness.UTC(), shards)
		got, _ := copies(t, store, users...)
		for user, text := range got {
			if want := table.read(user); text != want {
				t.Errorf("%d shards: %s's copy is %q, the table has %q", shards, user, text, want)
			}
		}
	}
}

// write changes a profile and its copy, as who puts one does: after an erasure in
// between it reads again.
func write(t *testing.T, store *live.Store, table *truth, user string) {
	t.Helper()
	_, generation := copies(t, store, user)
	text := table.change(user)
	for !set(t, store, generation, map[string]string{user: text}) {
		_, generation = copies(t, store, user)
		text = table.read(user)
	}
}

// A user's copy goes with the last page, not before.
func TestACopyGoesWithTheLastPage(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	store := live.New(client, harness.UTC(), 2)
	harness.Record(t, store, harness.Did(t, "ada like 1", harness.At(t, "2026-10-20T12:00")),
		harness.Did(t, "bob like 1", harness.At(t, "2026-10-20T12:00")),
		harness.Did(t, "bob like 1", harness.At(t, "2026-11-20T12:00")))
	_, generation := copies(t, store)
	set(t, store, generation, map[string]string{"ada": "1 {ada}", "bob": "1 {bob}"})
	month := harness.Period(t, "2026-10").First().Month()
	if err := store.CloseMonth(t.Context(), month, "activity"); err != nil {
		t.Fatal(err)
	}
	if err := store.RemovePages(t.Context(), month); err != nil {
		t.Fatal(err)
	}
	got, _ := copies(t, store, "ada", "bob")
	if diff := cmp.Diff(map[string]string{"bob": "1 {bob}"}, got); diff != "" {
		t.Errorf("copies (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"bob"}, slices.Collect(maps.Keys(got))); diff != "" {
		t.Error(diff)
	}
}
