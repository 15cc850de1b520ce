package recovery

import (
	"testing"
)

// TestMain has rebuilds save every few rows how far they are.
func TestMain(m *testing.M) {
	saveEvery = 40
	m.Run()
}
