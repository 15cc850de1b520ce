package importer

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/profile"
)

// The fields of a profile's row.
const (
	profileID field = iota
	profileName
	profileAvatar
	profileLink
	profileSince
	profileGroups
	profileInto
	profileNameHTML
)

// profileForm is the form of rows of profiles.
func profileForm() form {
	fields := []string{"id", "name", "avatar", "link", "since", "groups", "into", "name" + htmlSuffix}
	return form{fields: fields, required: int(profileName) + 1}
}

// ImportProfiles writes the profiles of one input into the store, counts its lines, and writes rejected ones to a
// file. The profiles are whole, but one without since or groups keeps the known ones; one that is stored is not
// written again. Users who are merged into others are merged afterwards, in order. After an error the import can be
// run again.
func (im *Importer) ImportProfiles(ctx context.Context, src *Source, summary *Summary, rejected *RejectedFile) error {
	r, before := &run{Importer: im, src: src, rejected: rejected, summary: summary}, im.Recorded()
	return r.measured(func() error {
		err := cmp.Or(r.profiles(ctx), r.nothing())
		summary.Profiles += int(im.Recorded() - before)
		return err
	})
}

// A member is a user with a profile.
type member struct {
	id      string
	profile profile.Profile
}

// profiles reads all rows, and has the profiles written.
func (r *run) profiles(ctx context.Context) error {
	in, err := openRows(r.src, profileForm(), nil)
	if err != nil {
		return err
	}
	w, writing := newWriting[member](ctx, profileWorkers, profilesAtOnce)
	w.write = func(some []member) error {
		all := map[string]profile.Profile{}
		for _, m := range some {
			all[m.id] = m.profile
		}
		err := retry(writing, func() error { _, err := r.Stores(writing, Part{Profiles: all}); return err })
		if err == nil {
			r.recorded.Add(int64(len(all)))
		}
		return err
	}
	seen, merges := map[string]bool{}, []memberMerge(nil)
	err = w.finish(r.each(writing, in, func(row row) error {
		id, profile, flaws, violation := decodeProfile(row)
		r.summary.warn(flaws)
		if violation == "" && seen[id] {
			violation = "id: an earlier line has it too"
		}
		if violation != "" {
			return r.reject(row, violation)
		}
		if seen[id] = true; row.into() != "" {
			merges = append(merges, memberMerge{row, Merge{id, row.into()}})
		} else {
			w.add(member{id, profile})
		}
		return nil
	}))
	if err != nil {
		return err
	}
	return r.mergeAll(ctx, merges)
}

// decodeProfile returns a row's profile and its flaws, or its violation.
func decodeProfile(r row) (id string, p profile.Profile, flaws []flaw, violation string) {
	if r.violation != "" {
		return "", p, nil, r.violation
	}
	id = r.values[profileID]
	flaws, violation = ids(&id)
	if code, message := activity.CheckID(id, activity.MaxUserID); code != "" && violation == "" {
		violation = "id: " + message
	}
	groups, violations := groupsOf(r)
	violation = strings.Join(slices.DeleteFunc([]string{violation, violations}, isEmpty), "; ")
	p = profile.Profile{
		Groups: groups, Name: r.values[profileName], Avatar: none(r.values[profileAvatar]),
		Link: none(r.values[profileLink]), Since: none(r.values[profileSince]),
	}
	if into := r.into(); into != "" && violation == "" {
		if code, message := activity.CheckID(into, activity.MaxUserID); code != "" {
			violation = "into: " + message
		}
		return id, p, flaws, violation
	}
	if p.Name == nullField {
		p.Name = ""
	}
	p.Name = cmp.Or(p.Name, textOf(none(r.values[profileNameHTML])))
	if _, err := board.ParseMoment(p.Since); err != nil {
		if since, err := parseMoment(p.Since); err == nil {
			p.Since = since.String()
		}
	}
	p, found := p.Clean()
	return id, p, append(flaws, flawsOf(r, found)...), violation
}

// noGroups stands for groups that are to be removed, as profile.NoSince does for since.
const noGroups = profile.NoSince

// groupsOf returns the groups of a row, nil where it has none, and their violations: a person with a part of the groups
// could be on a board that another one keeps them from.
func groupsOf(r row) (groups []string, violation string) {
	switch list := none(r.values[profileGroups]); list {
	case "":
		return nil, ""
	case noGroups:
		return []string{}, ""
	default:
		groups = strings.Split(list, groupSeparator)
	}
	for i := range groups {
		groups[i] = activity.TrimID(groups[i])
	}
	var all []string
	for _, v := range profile.GroupViolations(groups) {
		all = append(all, listIndex.ReplaceAllString(v.Location, "")+": "+v.Message)
	}
	return groups, strings.Join(slices.Compact(all), "; ")
}

func isEmpty(text string) bool { return text == "" }
