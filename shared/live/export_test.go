package live

// What scripts answer, for the test that holds them and Go together.
const (
	ScriptDone    = scriptDone
	ScriptChanged = scriptChanged
)
