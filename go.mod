module github.com/slotcast/slotcast

go 1.25.0

require (
	github.com/google/go-cmp v0.7.0
	github.com/stretchr/testify v1.12.1
	github.com/uber/h3-go/v4 v4.5.0
)

require go.yaml.in/yaml/v3 v3.0.5 // indirect
