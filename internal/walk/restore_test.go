package walk_test

import (
	"maps"

	"laurel/internal/harness"
	"laurel/shared/core/article"
	"laurel/shared/core/board"
	"laurel/shared/run/operate"
	"laurel/shared/store/items"
	"laurel/shared/store/table"
)

// A backup is the table, and the model's data of it.
type backup struct {
	items    []table.Item
	people   map[string]*person
	voids    map[string]board.Moment
	articles map[string]article.Article

	finals       map[closing]*[]items.Member
	latest       map[place]*[]items.Member
	again        map[place]bool
	finalTeams   map[place][]string
	life, before *board.Life
	voided       map[string]map[string]bool
	earlier      map[string]board.Moment
	voidDone     map[string]bool
	voidState    map[string]items.State
	maybe, vague map[string]bool
	points       map[string]int64
	touched      map[string]bool
}

// keep makes a backup of the table while no other step runs.
func (f *forum) keep() {
	if len(f.open) > 0 || f.life == nil {
		return
	}
	f.Logf("%s backup", f.moment())
	f.backup = &backup{
		items:  harness.Must(f.table.Items(f.Context()))(f.T),
		people: f.people, voids: f.voids, articles: f.articles, finals: f.finals, latest: f.latest, again: f.again,
		finalTeams: f.finalTeams,
		life:       f.life, before: f.before, voided: f.voided, earlier: f.earlier, voidDone: f.voidDone,
		voidState: f.voidState, maybe: f.maybe, vague: f.vague, points: f.points, touched: f.touched,
	}
	f.put(f.backup) // targets whose copy the forum has
}

// restore puts the table back to the backup, beside processes and a view that have seen more.
func (f *forum) restore() {
	f.Logf("%s the table is restored", f.moment())
	harness.OK(f.T, f.table.Restore(f.Context(), f.backup.items))
	f.put(f.backup)
	f.open, f.saved = nil, nil
	f.restored, f.disturbed = true, true
	for i := range f.processes {
		f.processes[i] = f.start()
	}
	f.reader = f.start()
}

// recover makes a process recognise the table, and fill the view, while no other step runs.
func (f *forum) recover() {
	f.Helper()
	commands := []operate.Command{&operate.CatchUp{Scores: true}}
	if len(f.voids) == 0 { // else nobody sees the targets that its nights void
		commands = append(commands, &operate.Repair{}, &operate.Repair{})
	}
	command := commands[f.rng.IntN(len(commands))]
	f.Logf("%s %s", f.moment(), operate.NameOf(command))
	f.hurry(f.reader, func() { f.operate(command, nil) })
	f.restored = false
}

// put restores the model to a copy.
func (f *forum) put(b *backup) {
	f.people, f.voided = map[string]*person{}, map[string]map[string]bool{}
	for user, p := range b.people {
		f.people[user] = p.clone()
	}
	for user, targets := range b.voided {
		f.voided[user] = maps.Clone(targets)
	}
	f.voids, f.articles = maps.Clone(b.voids), maps.Clone(b.articles)
	f.finals, f.latest, f.again = maps.Clone(b.finals), maps.Clone(b.latest), maps.Clone(b.again)
	f.finalTeams = maps.Clone(b.finalTeams)
	f.life, f.before, f.earlier = b.life, b.before, maps.Clone(b.earlier)
	f.voidDone, f.voidState = maps.Clone(b.voidDone), maps.Clone(b.voidState)
	f.maybe, f.vague = maps.Clone(b.maybe), maps.Clone(b.vague)
	f.points, f.touched = maps.Clone(b.points), maps.Clone(b.touched)
}
