package article_test

import (
	"fmt"

	"laurel/shared/core/activity"
	"laurel/shared/core/article"
	"laurel/shared/core/board"
)

func ExampleRules() {
	rules := article.Rules(activity.Default().Articles())
	published, err := board.ParseMoment("2026-11-20T12:00:00Z")
	if err != nil {
		panic(err)
	}
	a := article.Article{ID: "42", Author: "ann", Published: published, Votes: rules.OwnVotes()}
	fmt.Println(rules.Score(a), "when it is published")
	a.Votes += 200
	fmt.Println(rules.Score(a), "with 200 votes more, a day's worth")
	fmt.Println("takes votes until", rules.Closes(a))
	// Output:
	// 1795176432 when it is published
	// 1795262832 with 200 votes more, a day's worth
	// takes votes until 2026-11-27T12:00:00Z
}
