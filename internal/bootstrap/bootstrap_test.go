package bootstrap_test

import (
	"debug/elf"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"laurel/internal/bootstrap"
)

// root is the repository, from here.
const root = "../.."

// What is built is what Lambda runs: static, stripped, for the architecture that
// was asked for, whatever a make around the tests was told.
func TestBinariesAreLambdas(t *testing.T) {
	t.Setenv("MAKEFLAGS", " -- LAMBDA_ARCH=amd64 DIST=/nowhere")
	t.Setenv("LAMBDA_ARCH", "amd64")
	dir := t.TempDir()
	if err := bootstrap.Build(t.Context(), root, dir, "arm64", "archive"); err != nil {
		t.Fatal(err)
	}
	binary, err := elf.Open(bootstrap.Binary(dir, "archive"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = binary.Close() }()
	if binary.Machine != elf.EM_AARCH64 {
		t.Errorf("it is for %s", binary.Machine)
	}
	if needed, err := binary.ImportedLibraries(); err != nil || len(needed) > 0 {
		t.Errorf("it needs %v, %v", needed, err)
	}
	if binary.Section(".symtab") != nil || binary.Section(".debug_info") != nil {
		t.Error("it is not stripped")
	}
	text, err := os.ReadFile(bootstrap.Binary(dir, "archive"))
	if err != nil {
		t.Fatal(err)
	}
	if here, err := filepath.Abs(root); err != nil || strings.Contains(string(text), here+"/") {
		t.Errorf("the path of these sources is in it, %v", err)
	}
}

func TestWhatMakeSaysIsTold(t *testing.T) {
	t.Parallel()
	err := bootstrap.Build(t.Context(), root, t.TempDir(), "arm64", "nothing")
	if err == nil || !strings.Contains(err.Error(), "dist/nothing") || !strings.Contains(err.Error(), "No rule") {
		t.Errorf("error %v", err)
	}
}
