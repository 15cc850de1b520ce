package importer

import (
	"strings"

	"laurel/shared/activity"
	"laurel/shared/article"
	"laurel/shared/board"
	"laurel/shared/ledger"
)

// groupSeparator is between the groups of an article.
const groupSeparator = "|"

// articleOf returns the article that a row publishes, nil when it is none.
func articleOf(r row, a activity.Activity) *article.Article {
	title, link, groups := r.values[fieldTitle], r.values[fieldLink], r.values[fieldGroups]
	if a.Action != activity.Publish || title+link+groups == "" {
		return nil
	}
	published := &article.Article{ID: a.Target, Author: a.User, Published: a.At, Title: title, Link: link}
	if groups != "" {
		published.Groups = strings.Split(groups, groupSeparator)
	}
	return published
}

// articleViolations returns what is wrong with an article of an import, by the names
// of a row's fields.
func articleViolations(a article.Article, now board.Moment) []activity.Violation {
	found := article.Violations(a, ledger.Arrival{Now: now, AnyAge: true})
	for i, v := range found {
		switch v.Location {
		case "id":
			found[i].Location = fieldNames[fieldTarget]
		case "author":
			found[i].Location = fieldNames[fieldUser]
		case "publishedAt":
			found[i].Location = fieldNames[fieldAt]
		}
	}
	return found
}
