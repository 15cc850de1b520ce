package board

// Due reports whether a period is to be made final: a day or week when hotDays whole
// days have passed since its last day (with 3, the 20th is due on the 24th), a month
// or year when hotMonths whole months have passed since its last month. All is never
// due.
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

// Last returns the period's last day. All has none; its first day is returned.
func (p Period) Last() Date {
	if p.window == All {
		return p.First()
	}
	return p.Next().First() - 1
}
