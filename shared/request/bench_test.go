package request_test

import (
	"fmt"
	"strings"
	"testing"
)

func benchBody(n int, user bool) []byte {
	var all []string
	for i := range n {
		u := ""
		if user {
			u = fmt.Sprintf(`,"user":"user-%d","at":"2026-11-20T11:59:59.123Z"`, i)
		}
		all = append(all, fmt.Sprintf(`{"action":"comment","target":"article-%d","ref":"comment-%d"%s}`, i, i, u))
	}
	return []byte(`{"activities":[` + strings.Join(all, ",") + `]}`)
}

func BenchmarkReport(b *testing.B) {
	for _, n := range []int{1, 100} {
		body := benchBody(n, false)
		b.Run(fmt.Sprint("user-", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, v := decoderOf(ann).Report(body)
				if v.Count() > 0 {
					b.Fatal(v.All())
				}
			}
		})
		body2 := benchBody(n, true)
		b.Run(fmt.Sprint("service-", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, v := decoderOf(service).Report(body2)
				if v.Count() > 0 {
					b.Fatal(v.All())
				}
			}
		})
	}
	one := []byte(`{"action":"like","target":"a1"}`)
	b.Run("message", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, v := decoderOf(ann).Message(one)
			if v.Count() > 0 {
				b.Fatal(v.All())
			}
		}
	})
}
