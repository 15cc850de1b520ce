package embed_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"laurel/internal/harness"
	"laurel/shared/api/embed"
)

// Each form has the reason why there is no board, in the requested language, and is XML for every failure.
func TestFailuresAreInEachForm(t *testing.T) {
	t.Parallel()
	for name, write := range map[string]func(io.Writer, embed.Failure, embed.Options) error{
		"page": embed.FailurePage, "fragment": embed.FailureFragment, "text": embed.FailureText,
		"svg": embed.FailureSVG, "badge.svg": embed.FailureBadge,
	} {
		for _, c := range []struct {
			status           int
			code, en, zh, vi string
			again            bool
		}{
			{
				http.StatusServiceUnavailable, "filling", "The board is being completed", "排行榜正在补全",
				"Bảng đang được hoàn thiện", true,
			},
			{http.StatusServiceUnavailable, "unavailable", "Not reachable", "无法连接", "Mất kết nối", true},
			{http.StatusTooManyRequests, "too_many_requests", "Not reachable", "无法连接", "Mất kết nối", true},
			{http.StatusNotFound, "unknown_board", "There is no such board", "没有这个排行榜", "Không có bảng này", false},
			{http.StatusUnprocessableEntity, "invalid", "Not available", "无法显示", "Không có sẵn", false},
		} {
			for lang, want := range map[string]string{"en": c.en, "zh-CN": c.zh, "vi": c.vi, "de": c.en, "<b>\x01": c.en} {
				var out strings.Builder
				harness.OK(t, write(&out, embed.Failure{
					Code: c.code, Status: c.status, Details: []string{"<b>&\x01"}, Board: "<i>", Window: "\"", Root: "..",
				}, embed.Options{Lang: lang, Theme: "<s>"}))
				text := out.String()
				if !strings.Contains(text, want) || strings.Contains(text, "<i>") || strings.Contains(text, "<s>") ||
					name != "text" && strings.Contains(text, "<b>") {
					t.Errorf("%s of %s in %q: %s", name, c.code, lang, text)
				}
				if err := isXML(text); strings.HasSuffix(name, "svg") && err != nil {
					t.Errorf("%s of %s: %v", name, c.code, err)
				}
				if name == "page" && strings.Contains(text, "data-again") != c.again {
					t.Errorf("%s: a page that is read again, or is not: %s", c.code, text)
				}
			}
		}
	}
}

// A terminal draws the marks of a name's direction as boxes.
func TestTextHasNoIsolates(t *testing.T) {
	t.Parallel()
	b := board("Ann")
	b.Entries[1].ID, b.Standing = "me", &embed.Standing{Rank: 2, Score: 9, ToNext: 3}
	text := written(t, embed.Text, b, embed.Options{User: "me"})
	if !strings.Contains(text, "behind Ann, 1st") || strings.ContainsAny(text, "\u2068\u2069") {
		t.Errorf("%q", text)
	}
}

// Only a user on the board has a green badge.
func TestBadgeOfNobodyIsGray(t *testing.T) {
	t.Parallel()
	for rank, green := range map[int64]bool{0: false, 3: true} {
		b := board("Ann")
		b.Standing = &embed.Standing{Rank: rank}
		if badge := written(t, embed.Badge, b, embed.Options{}); strings.Contains(badge, "#2f6b34") != green {
			t.Errorf("rank %d: %s", rank, badge)
		}
	}
}
