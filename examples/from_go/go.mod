module suffice/from_go

go 1.18
