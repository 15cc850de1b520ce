package importer

import (
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// rejectedHeader begins a file of rejected lines.
const rejectedHeader = "line,reason,text"

// maxRejectedText is how much of a rejected line is kept, in bytes.
const maxRejectedText = 1000

// A RejectedFile collects rejected lines as CSV: number, reason, and the line itself,
// or its beginning if it is long. The file is created for the first rejected line.
type RejectedFile struct {
	Path string
	file *os.File
	rows *csv.Writer
}

// RemoveOld removes the file if an earlier import has written it. Another file is left
// alone until a line is rejected.
func (f *RejectedFile) RemoveOld() error {
	text, err := os.ReadFile(f.Path)
	if err == nil && strings.HasPrefix(string(text), rejectedHeader) {
		return os.Remove(f.Path)
	}
	return nil
}

// Add adds a rejected line.
func (f *RejectedFile) Add(line int, reason, text string) error {
	if f.file == nil {
		file, err := os.Create(f.Path)
		if err != nil {
			return fmt.Errorf("write rejected lines (--rejected names another file): %w", err)
		}
		f.file, f.rows = file, csv.NewWriter(file)
		if err := f.rows.Write(strings.Split(rejectedHeader, ",")); err != nil {
			return err
		}
	}
	if len(text) > maxRejectedText {
		text = strings.ToValidUTF8(text[:maxRejectedText], "") + "..."
	}
	return f.rows.Write([]string{strconv.Itoa(line), reason, text})
}

// Close writes the rest and closes the file, if there is one.
func (f *RejectedFile) Close() error {
	if f.file == nil {
		return nil
	}
	f.rows.Flush()
	return errors.Join(f.rows.Error(), f.file.Close())
}
