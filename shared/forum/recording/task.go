package recording

import (
	"cmp"
	"slices"
	"strings"

	"laurel/shared/core/activity"
	"laurel/shared/store/items"
)

// A given activity is one as it was given, before a merge of its user is looked at.
type given struct {
	user  string
	index int // among all of the batch
}

// tasksOf divides activities by the people who stand for their users, as far as the process knows them.
func (r *Recorder) tasksOf(head *items.Head, acts []activity.Activity, results []Result) []*task {
	all := make([]reported, len(acts))
	for i := range acts {
		all[i] = reported{acts[i], given{acts[i].User, i}, &results[i]}
		if head.Merged {
			all[i].User = r.items.StandIn(acts[i].User)
		}
	}
	return divide(all)
}

// reported is an activity, its user being the one who stands for the user whom it was given with.
type reported struct {
	activity.Activity
	given
	result *Result
}

// divide makes a task of each user's activities, which are in the order in which they were given.
func divide(all []reported) (tasks []*task) {
	slices.SortFunc(all, func(a, b reported) int {
		return cmp.Or(strings.Compare(a.User, b.User), cmp.Compare(a.index, b.index))
	})
	acts, gave, results := make([]activity.Activity, len(all)), make([]given, len(all)), make([]*Result, len(all))
	for i := range all {
		acts[i], gave[i], results[i] = all[i].Activity, all[i].given, all[i].result
	}
	for from, to := 0, 0; from < len(acts); from = to {
		user := acts[from].User
		for to < len(acts) && acts[to].User == user {
			to++
		}
		tasks = append(tasks, &task{
			user: user, acts: acts[from:to:to], given: gave[from:to:to], results: results[from:to:to],
		})
	}
	return tasks
}

// meet looks by the accounts that were read whether other people stand for the users of activities: it returns the
// tasks of these then, after a merge, or an erasure of a merged person, which this process did not know. They read
// again.
func (b *batch) meet(tasks []*task) (met []*task, others bool) {
	all := make([]reported, 0, len(tasks))
	for _, t := range tasks {
		for i := range t.acts {
			one := reported{t.acts[i], t.given[i], t.results[i]}
			if one.User = b.head.StandIn(t.outcome.Person.Value, t.user, one.user); one.User != t.user {
				b.r.items.StandsFor(one.user, one.User)
				others = true
			}
			all = append(all, one)
		}
	}
	if !others {
		return tasks, false
	}
	return divide(all), true
}
