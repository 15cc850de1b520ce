package recovery

import (
	"testing"
)

// TestMain has rebuilds note every few rows how far they are.
func TestMain(m *testing.M) {
	noteEvery = 40
	m.Run()
}
