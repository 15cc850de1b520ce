package importer

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"laurel/shared/records"
)

// Imports returns the imports in progress.
func (im *Importer) Imports(ctx context.Context) ([]records.Import, error) {
	done, err := im.Stores(ctx, Part{Imports: true})
	return done.Imports, err
}

// InProgress lists imports in progress, a line each.
func InProgress(all []records.Import) string {
	if len(all) == 0 {
		return "no import is in progress"
	}
	lines := make([]string, len(all))
	for n, i := range all {
		months := "no month yet"
		if len(i.Months) > 0 {
			months = fmt.Sprintf("months %s to %s", i.Months[0], i.Months[len(i.Months)-1])
		}
		lines[n] = fmt.Sprintf("an import of %s is in progress since %s (%s, id %s)", i.Name,
			i.Since.Time().UTC().Format("2006-01-02 15:04 UTC"), months, i.ID)
	}
	return strings.Join(lines, "\n")
}

// Called returns the imports that are called by their id or input's name; without names the only one
// that there is. Its error lists those in progress.
func Called(all []records.Import, names []string) (chosen []records.Import, err error) {
	if len(names) == 0 && len(all) == 1 {
		return all, nil
	}
	for _, name := range names {
		others := func(i records.Import) bool { return name != i.ID && name != i.Name }
		found := slices.DeleteFunc(slices.Clone(all), others)
		if len(found) == 0 {
			others = func(i records.Import) bool { return filepath.Base(name) != filepath.Base(i.Name) }
			found = slices.DeleteFunc(slices.Clone(all), others)
		}
		if len(found) != 1 {
			return nil, fmt.Errorf("%d imports are called %q; name one by its id\n%s", len(found), name, InProgress(all))
		}
		chosen = append(chosen, found...)
	}
	if len(chosen) == 0 {
		err = errors.New("name the import by its id or file\n" + InProgress(all))
	}
	return chosen, err
}
