module laurel/integrations/client/go

go 1.26.0
