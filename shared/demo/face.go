package demo

import "fmt"

// What faces are made of.
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
	var more string
	if i%4 == 1 {
		more = `<g fill="none" stroke="#333"><circle cx="26" cy="31" r="4.4"/>` +
			`<circle cx="38" cy="31" r="4.4"/><path d="M30.4 31h3.2"/></g>`
	}
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">`+
		`<path fill="hsl(%[1]d 45%% 78%%)" d="M0 0h64v64H0z"/><g fill="%[2]s">%[3]s</g>`+
		`<path fill="%[4]s" d="M9 66C9 50 22 48 32 48s23 2 23 18z"/><path fill="%[5]s" d="M27 40h10v9q-5 4-10 0z"/>`+
		`<ellipse cx="32" cy="31" rx="14" ry="16" fill="%[5]s"/><g fill="%[2]s">%[6]s</g>`+
		`<g fill="#2a2523"><circle cx="26" cy="31" r="1.7"/><circle cx="38" cy="31" r="1.7"/></g>`+
		`<path d="M27 38.5q5 %[7]d 10 0" fill="none" stroke="#7a3b35" stroke-width="1.6" stroke-linecap="round"/>%[8]s</svg>`,
		hue, hair, cuts[cut], shirt, skin, cuts[cut+1], 3+i%3, more)
}
