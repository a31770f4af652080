module github.com/slotcast/slotcast/internal/lab

go 1.26.0

require (
	github.com/slotcast/slotcast v0.0.0
	github.com/stretchr/testify v1.12.1
	github.com/uber/h3-go/v4 v4.5.0
	golang.org/x/net v0.62.0
)

require go.yaml.in/yaml/v3 v3.0.5 // indirect

replace github.com/slotcast/slotcast => ../..
