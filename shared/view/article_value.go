package view

import (
	"fmt"
	"strconv"
	"strings"

	"laurel/shared/article"
)

// An article is kept as a line, which scripts read, and the page of package article behind it:
//
//	revision TAB score without votes TAB own or final votes TAB 1 if votes count, else 0 TAB
//	11 hex digits of its members TAB author TAB lists LF page
//
// The lists are "" if it is on none; else a byte 0x1f and a group for each, first "" for all
// articles. One that is gone has neither page nor author, nor digits.
const listMark = "\x1f"

// listsOf are the lists that an article is on.
func listsOf(p article.Page) string {
	if !p.Listed() {
		return ""
	}
	var b strings.Builder
	b.WriteString(listMark)
	for _, group := range p.Groups {
		b.WriteString(listMark + group)
	}
	return b.String()
}

// groupsIn are the groups of lists, with "" for all articles.
func groupsIn(lists string) []string {
	if lists == "" {
		return nil
	}
	return strings.Split(lists[len(listMark):], listMark)
}

// valueOf is an article as it is kept, "" if it is gone for good.
func (s *Store) valueOf(u ArticleUnit) string {
	if u.Revision == 0 {
		return ""
	}
	if u.Gone() {
		return number(u.Revision) + "\t0\t0\t0\t\t\t\n"
	}
	votes, open := u.Votes, 0
	if u.State == article.Voting {
		votes, open = s.options.Articles.OwnVotes(), 1
	}
	return fmt.Sprintf("%d\t%d\t%d\t%d\t%s\t%s\t%s\n%s", u.Revision, u.Seconds(), votes, open,
		u.Member()[:article.AgeLen], u.Author, listsOf(u.Page), u.Encode())
}

// parseValue reads an article as it is kept, with the votes that were counted; false says that
// it is gone.
func parseValue(id, value, counted string) (p article.Page, there bool, err error) {
	line, page, _ := strings.Cut(value, "\n")
	fields := strings.Split(line, "\t")
	if len(fields) != 7 {
		return p, false, unreadable(fmt.Sprintf("article %q", id))
	}
	if page == "" {
		return p, false, nil
	}
	if p, err = article.DecodePage(id, page); err != nil {
		return p, false, fmt.Errorf("%w: %w", ErrStored, err)
	}
	if p.Votes, err = strconv.ParseInt(fields[2], 10, 64); err == nil && fields[3] == "1" && counted != "" {
		var n int64
		n, err = strconv.ParseInt(counted, 10, 64)
		p.Votes += n
	}
	if err != nil {
		return p, false, unreadable(fmt.Sprintf("the votes of article %q", id))
	}
	return p, true, nil
}

// revisionOf reads the revision that a value begins with, 0 if there is none.
func revisionOf(value string) int64 {
	end := strings.IndexFunc(value, func(r rune) bool { return r < '0' || r > '9' })
	if end < 0 {
		end = len(value)
	}
	n, _ := strconv.ParseInt(value[:end], 10, 64) // what is damaged was not seen
	return n
}
