package importer

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"laurel/shared/core/activity"
	"laurel/shared/core/article"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
)

// groupSeparator is between the groups of an article.
const groupSeparator = "|"

// articleOf returns the article that a row publishes, nil when it is none, and the flaws of its fields. They cost the
// field: without a title the activity counts alone.
func articleOf(r row, a activity.Activity) (*article.Article, []flaw) {
	title, link, groups := r.values[fieldTitle], none(r.values[fieldLink]), none(r.values[fieldGroups])
	if title == nullField {
		title = ""
	}
	title = cmp.Or(title, textOf(none(r.values[fieldTitleHTML])))
	if a.Action != activity.Publish || title+link+groups == "" {
		return nil, nil
	}
	published := article.Article{ID: a.Target, Author: a.User, Published: a.At, Title: title, Link: link}
	if groups != "" {
		published.Groups = strings.Split(groups, groupSeparator)
	}
	published, found := published.Clean()
	flaws := flawsOf(r, found)
	if published.Title == "" {
		return nil, flaws
	}
	return &published, flaws
}

// listIndex is where in a list something is.
var listIndex = regexp.MustCompile(`\[\d+\]`)

// flawsOf returns violations that were mended as the flaws of a row.
func flawsOf(r row, found []activity.Violation) (all []flaw) {
	for _, v := range found {
		about := listIndex.ReplaceAllString(v.Location, "") + " " + v.Message
		all = append(all, flaw{about, fmt.Sprintf("line %d", r.line.number)})
	}
	return all
}

// articleViolations returns the violations of an article of an import, by the names of a row's fields.
func articleViolations(a article.Article, now board.Moment) []activity.Violation {
	found := article.Violations(a, ledger.Arrival{Now: now, AnyAge: true})
	names := map[string]field{"id": fieldTarget, "author": fieldUser, "publishedAt": fieldAt}
	for i, v := range found {
		if name, other := names[v.Location]; other {
			found[i].Location = fieldNames[name]
		}
	}
	return found
}

// creations is how many articles are created at a time.
const creations = 500

// create creates the articles of some lines, and notes why others are refused.
func (r *run) create(ctx context.Context, lines []int, articles []article.Article) error {
	if len(articles) == 0 {
		return nil
	}
	done, err := r.Stores(ctx, Part{Articles: articles})
	for i, line := range lines[:len(done.Articles)] {
		switch creation := done.Articles[i]; creation {
		case notKnown:
		case created:
			r.summary.Created++
		case exists:
			r.summary.Known++
		default:
			r.refused[line] = string(creation)
		}
	}
	return err
}

// readAhead reads the input for its articles and months alone, creates the articles, marks
// the months, and returns the rows from the beginning. The second reading reports violations
// and errors of the input. A strict import ends the first reading at the first violation.
func (r *run) readAhead(ctx context.Context, in *rows) (*rows, error) {
	var lines []int
	var pending []article.Article
	months := map[board.MonthOf]bool{}
	r.src.passes.Store(2)
	for row, err := range in.all() {
		if err != nil || ctx.Err() != nil {
			break
		}
		d := r.decoder.decode(row)
		if r.Strict && (d.violation != "" || len(r.refused) > 0) {
			break
		}
		if d.violation != "" || d.skipped != "" {
			continue
		}
		for _, m := range r.months(d.activity) {
			months[m] = true
		}
		if d.article == nil {
			continue
		}
		same := func(other article.Article) bool { return other.ID == d.article.ID }
		if len(pending) == creations || slices.ContainsFunc(pending, same) { // of two with an id the first goes first
			if err := r.create(ctx, lines, pending); err != nil {
				return nil, err
			}
			lines, pending = nil, nil
		}
		lines, pending = append(lines, row.line.number), append(pending, *d.article)
	}
	if err := r.create(ctx, lines, pending); err != nil {
		return nil, err
	}
	if err := r.mark(ctx, slices.Collect(maps.Keys(months))...); err != nil {
		return nil, err
	}
	if _, err := r.src.file.Seek(0, io.SeekStart); err != nil {
		return nil, fmt.Errorf("read it again: %w", err)
	}
	return openRows(r.src, historyForm(), r.Columns)
}
