// Package demo is a forum of 40 people in three languages, with names, faces and articles, for laurel dev --demo:
// their activities in the last two months, and those to come.
//
// The same clock gives the same history. No member is a real person, and the faces are drawn here. Live reports go
// through the API, as those of any forum.
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

//go:embed face.svg
var faceFormat string

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

// A Forum has people and their articles. Its methods must not be called at once.
type Forum struct {
	People   []Person  `json:"people"`
	Articles []Article `json:"articles"`

	address string // of the server, without a slash at the end
	zeal    []int  // by person: the share of all acts
	crowd   []int  // people, each as often as their zeal requires
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

// Files returns the files that the page loads under /demo/: the people and a face of each.
func Files() map[string][]byte {
	files := map[string][]byte{"forum.json": source}
	for i, p := range New("").People {
		files["faces/"+p.ID+".svg"] = face(i)
	}
	return files
}

func articleID(i int) string { return fmt.Sprintf("article-%d", i+1) }

// An act is one activity of a member.
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

// act returns the next act of a member: mostly with one of the newest articles.
func (f *Forum) act() act {
	author := f.any()
	a := act{User: f.People[author].ID}
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
		a.Action, a.Target = "follow", f.People[(author+1+f.random.IntN(len(f.People)-1))%len(f.People)].ID
	}
	return a
}

// publish returns the publication of the next article.
func (f *Forum) publish() act {
	article := f.Articles[f.written]
	author := f.any()
	for f.People[author].Lang != article.Lang {
		author = f.any()
	}
	id := articleID(f.written)
	f.written++
	return act{
		User: f.People[author].ID, Action: "publish", Target: id, Title: article.Title,
		Link: f.address + "/#" + id, Groups: article.Lang,
	}
}

// The parts of faces.
var (
	skins  = []string{"#f3d0b0", "#e6b48c", "#c98d62", "#8d5a3a", "#f7dcc4"}
	hairs  = []string{"#2b2320", "#4a342a", "#1d1d26", "#8a5a2b", "#6b6f76", "#b5552c"}
	shirts = []string{"#2f6f8f", "#8f3f5a", "#3f7a4a", "#6a4fa0", "#b0702a", "#37506b"}
	cuts   = []string{ // behind the head, before it
		"", `<path d="M17 29C15 8 49 8 47 29 43 20 39 19 32 19S21 20 17 29z"/>`,
		`<path d="M14 32C11 6 53 6 50 32L51 47H13z"/>`,
		`<path d="M18 29C18 16 30 17 37 17 44 18 46 23 46 29 49 8 15 8 18 29z"/>`,
		`<circle cx="32" cy="9" r="6.5"/>`, `<path d="M17 28C17 9 47 9 47 28 42 18 22 18 17 28z"/>`,
		`<path d="M15 30C12 6 52 6 49 30L53 62H11z"/>`,
		`<path d="M18 28C19 17 27 16 32 21 37 16 45 17 46 28 50 8 14 8 18 28z"/>`,
		`<circle cx="20" cy="21" r="7"/><circle cx="44" cy="21" r="7"/>`,
		`<circle cx="24" cy="16" r="6"/><circle cx="32" cy="14" r="7"/><circle cx="40" cy="16" r="6"/>`,
	}
)

// face returns a drawn face; each of the people has another one.
func face(i int) []byte {
	hue, skin, hair, shirt := i*67%360, skins[i*3%5], hairs[i*5%6], shirts[i*7%6]
	cut := (i*3 + i/5) % (len(cuts) / 2) * 2
	glasses := "none"
	if i%4 == 1 {
		glasses = "#333"
	}
	return fmt.Appendf(nil, faceFormat, hue, hair, cuts[cut], shirt, skin, cuts[cut+1], 3+i%3, glasses)
}
