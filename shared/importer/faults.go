package importer

import (
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// faultsHeader begins a file of faulty lines.
const faultsHeader = "line,reason,text"

// maxFaultText is how much of a faulty line is kept, in bytes.
const maxFaultText = 1000

// A FaultFile collects faulty lines as CSV: number, reason, and the line as it
// stands, its beginning if it is long. The file is made with the first fault.
type FaultFile struct {
	Path string
	file *os.File
	rows *csv.Writer
}

// RemoveOld removes the file if an earlier import has written it; another file
// is left alone until there is a fault.
func (f *FaultFile) RemoveOld() error {
	text, err := os.ReadFile(f.Path)
	if err == nil && strings.HasPrefix(string(text), faultsHeader) {
		return os.Remove(f.Path)
	}
	return nil
}

// Add adds a faulty line.
func (f *FaultFile) Add(line int, reason, text string) error {
	if f.file == nil {
		file, err := os.Create(f.Path)
		if err != nil {
			return fmt.Errorf("cannot keep the faulty lines, name another place with --faults: %w", err)
		}
		f.file, f.rows = file, csv.NewWriter(file)
		if err := f.rows.Write(strings.Split(faultsHeader, ",")); err != nil {
			return err
		}
	}
	if len(text) > maxFaultText {
		text = strings.ToValidUTF8(text[:maxFaultText], "") + "..."
	}
	return f.rows.Write([]string{strconv.Itoa(line), reason, text})
}

// Close writes the rest and closes the file, if there is one.
func (f *FaultFile) Close() error {
	if f.file == nil {
		return nil
	}
	f.rows.Flush()
	return errors.Join(f.rows.Error(), f.file.Close())
}
