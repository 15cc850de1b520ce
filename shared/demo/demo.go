package demo

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"time"
)

//go:embed forum.json
var source []byte

// A Person is a member of the forum.
type Person struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Lang string `json:"lang"`
}

// An Article has the id that its place in the list gives it.
type Article struct {
	Lang  string `json:"lang"`
	Title string `json:"title"`
}

// A Forum is people, and what they write about. Its methods must not be called at once.
type Forum struct {
	People   []Person  `json:"people"`
	Articles []Article `json:"articles"`

	address string // of the server, without a slash at the end
	zeal    []int  // by person: how much of what is done is theirs
	crowd   []int  // people, each as often as their zeal says
	random  *rand.Rand
	written int // articles that are published
	ref     int // comments that were written
}

// New returns the forum whose pages are on a server.
func New(address string) *Forum {
	f := &Forum{address: address, random: rand.New(rand.NewPCG(18, 40))}
	if err := json.Unmarshal(source, f); err != nil {
		panic(fmt.Sprintf("demo: forum.json: %v", err)) // it depends on the repository alone
	}
	for i := range f.People {
		f.zeal = append(f.zeal, 1+i*11%13*(i*5%7)/4+i%3)
		for range f.zeal[i] {
			f.crowd = append(f.crowd, i)
		}
	}
	return f
}

// Files returns what the page loads under /demo/: the people and a face of each.
func Files() map[string][]byte {
	files := map[string][]byte{"forum.json": source}
	for i, p := range New("").People {
		files["faces/"+p.ID+".svg"] = face(i)
	}
	return files
}

func articleID(i int) string { return fmt.Sprintf("article-%d", i+1) }

func (f *Forum) link(i int) string { return f.address + "/#" + articleID(i) }

// An act is what somebody does.
type act struct {
	At     time.Time `json:"at,omitzero"`
	User   string    `json:"user"`
	Action string    `json:"action"`
	Target string    `json:"target,omitempty"`
	Ref    string    `json:"ref,omitempty"`
	Value  int       `json:"value,omitempty"`
	Title  string    `json:"title,omitempty"`
	Link   string    `json:"link,omitempty"`
	Groups string    `json:"groups,omitempty"`
}

// any returns a person, the busy ones more often.
func (f *Forum) any() int { return f.crowd[f.random.IntN(len(f.crowd))] }

// act returns what somebody does next: mostly with one of the newest articles.
func (f *Forum) act() act {
	who := f.any()
	a := act{User: f.People[who].ID}
	article := max(0, f.written-1-f.random.IntN(min(f.written, 9)))
	a.Target = articleID(article)
	switch n := f.random.IntN(100); {
	case n < 40:
		a.Action, a.Target = "visit", fmt.Sprintf("topic-%d", f.random.IntN(500))
	case n < 68:
		f.ref++
		a.Action, a.Ref = "comment", fmt.Sprintf("c%d", f.ref)
	case n < 90:
		a.Action = "like"
	case n < 95:
		a.Action = "bookmark"
	case n < 98:
		a.Action, a.Value, a.Target = "steps", 2000+f.random.IntN(400)*40, ""
	default:
		a.Action, a.Target = "follow", f.People[(who+1+f.random.IntN(len(f.People)-1))%len(f.People)].ID
	}
	return a
}

// publish returns the next article being published.
func (f *Forum) publish() act {
	of := f.Articles[f.written]
	who := f.any()
	for f.People[who].Lang != of.Lang {
		who = f.any()
	}
	f.written++
	return act{
		User: f.People[who].ID, Action: "publish", Target: articleID(f.written - 1), Title: of.Title,
		Link: f.link(f.written - 1), Groups: of.Lang,
	}
}
