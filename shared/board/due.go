package board

// Due says whether a period has been live for long enough, by the forum's
// calendar alone: a day or week when hotDays whole days have passed since its
// last one (with 3, on the 24th the 20th is due), a month or year when hotMonths
// whole months have passed since its last one. All never is. What is due is not
// yet final.
func Due(p Period, today Date, hotDays, hotMonths int) bool {
	switch p.window {
	case Day, Week:
		return int64(today) > int64(p.Last())+int64(hotDays)
	case Month, Year:
		return int64(today.Month()) > int64(p.Last().Month())+int64(hotMonths)
	default:
		return false
	}
}

// Last returns the period's last day. All has none and returns its first.
func (p Period) Last() Date {
	if p.window == All {
		return p.First()
	}
	return p.Next().First() - 1
}
