package app

// FunctionTable reads the configuration of a function.
var FunctionTable = functionTable
