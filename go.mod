module laurel

go 1.26.0
