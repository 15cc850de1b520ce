package main

import (
	"bytes"
	"context"
	"image/png"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"laurel/internal/browser"
)

// The README's pictures, and how large they are.
const (
	screenshot      = "../../docs/screenshot.png"
	phone           = "../../docs/phone.png"
	pictureW        = 1200
	pictureH        = 800
	phoneW          = 375
	maxPictureBytes = 200_000
)

// demoDrawn is true when the part of the demo's page is that is seen, with its faces.
const demoDrawn = `(() => {
	const seen = [...document.querySelectorAll("#boards > section > :not(h2)")].filter(e => e.getBoundingClientRect().top < innerHeight - 2);
	const roots = seen.map(e => e.shadowRoot);
	return seen.length > 1 && roots.every(r => r?.querySelector(".board :not(:empty)")) && document.querySelector("article") &&
		[...document.images, ...roots.flatMap(r => [...r.querySelectorAll("img")])].every(
			i => i.complete || i.getBoundingClientRect().top > innerHeight) === true;
})()`

// The demo is a forum with people in three languages, at a large screen and on a phone, and a like moves
// the member's place. -update takes the README's pictures of it; those of LAUREL_PICTURES, a
// folder, are of all languages.
func TestDemo(t *testing.T) {
	t.Parallel()
	base, _, _ := dev(t, "--demo", "--now", "2026-11-20T19:30:00Z")
	take := func(name string, lang, scheme string, width, height int64) {
		tab := browser.Open(chromium(t), t, base+"/?lang="+lang, chromedp.EmulateViewport(width, height),
			browser.Media("prefers-color-scheme", scheme))
		browser.Wait(tab, t, demoDrawn)
		if browser.Eval[bool](tab, t, `document.documentElement.scrollWidth > innerWidth`) {
			t.Errorf("%s, %d px: the page scrolls sideways", lang, width)
		}
		for _, v := range browser.Violations(tab, t) {
			t.Errorf("%s, %s, %d px: %s", lang, scheme, width, v)
		}
		if name != "" {
			savePicture(tab, t, name)
		}
		if lang == "en" {
			like(tab, t)
		}
	}
	pictures := map[string]string{}
	if *update {
		pictures = map[string]string{"desktop": screenshot, "phone": phone}
	}
	take(pictures["desktop"], "en", "light", pictureW, pictureH)
	take(pictures["phone"], "zh", "dark", phoneW, pictureH)
	take("", "vi", "light", 320, 800)
	if folder := os.Getenv("LAUREL_PICTURES"); folder != "" {
		for _, lang := range []string{"en", "zh", "vi"} {
			for _, scheme := range []string{"light", "dark"} {
				take(folder+"/demo-desktop-"+lang+"-"+scheme+".png", lang, scheme, pictureW, 1500)
				take(folder+"/demo-phone-"+lang+"-"+scheme+".png", lang, scheme, 390, 2600)
			}
		}
	}
	checkPicture(t, screenshot, pictureW)
	checkPicture(t, phone, phoneW)
}

// checkPicture fails if a picture is not as -update takes it.
func checkPicture(t *testing.T, name string, width int) {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	size, err := png.DecodeConfig(bytes.NewReader(content))
	if err != nil || size.Width != width || size.Height != pictureH || len(content) > maxPictureBytes {
		t.Errorf("%s is not as -update takes it: %v, %d bytes, %v", name, size, len(content), err)
	}
}

// like clicks likes until one counts, and sees that the member's score has grown.
func like(tab context.Context, t *testing.T) {
	t.Helper()
	const score = `document.querySelector("laurel-standing").shadowRoot.querySelector(".score").textContent`
	before := browser.Eval[string](tab, t, score)
	browser.Eval[bool](tab, t, `{ for (const b of document.querySelectorAll("article button:nth-child(2)")) b.click(); return true }`)
	browser.Wait(tab, t, `document.querySelector("#receipts li b")?.textContent === "+3"`)
	browser.Wait(tab, t, score+` !== "`+strings.TrimSpace(before)+`"`)
}

// savePicture writes what a tab shows.
func savePicture(tab context.Context, t *testing.T, name string) {
	t.Helper()
	picture, err := chromedp.Run(tab, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, picture, 0o644); err != nil {
		t.Fatal(err)
	}
}

// Without people the page says how to have some, and the console works.
func TestEmptyForum(t *testing.T) {
	t.Parallel()
	base, _, _ := dev(t)
	tab := browser.Open(chromium(t), t, base+"/?lang=en", chromedp.EmulateViewport(375, 800))
	browser.Wait(tab, t, `document.getElementById("hint").textContent.includes("laurel dev --demo")`)
	browser.Wait(tab, t, `document.querySelector("#actions button") != null`)
	for _, v := range browser.Violations(tab, t) {
		t.Error(v)
	}
	browser.Eval[bool](tab, t, `{ [...document.querySelectorAll("#actions button")].find(b => b.textContent === "publish").click(); return true }`)
	browser.Wait(tab, t, `document.querySelector("#receipts b")?.textContent === "+10"`)
	browser.Wait(tab, t, `document.querySelector("laurel-board").shadowRoot.querySelector(".mine .score")?.textContent === "10"`)
}

// What the demo would fill must not stay.
func TestDemoKeepsNothing(t *testing.T) {
	t.Parallel()
	_, errs, code := laurel(t, "", "dev", "--demo", "--data", t.TempDir())
	if code != exitUsage || !strings.Contains(errs, "--demo is for stores that forget") {
		t.Errorf("%d, %s", code, errs)
	}
}
