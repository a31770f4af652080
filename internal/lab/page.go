package main

import (
	_ "embed"
	"encoding/json"
	"html/template"
	"io"
	"slices"
	"strconv"
)

//go:embed page.css
var pageStyle string

//go:embed page.html.tmpl
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// pageSection is a section with its place on the page.
type pageSection struct {
	section
	ID string
}

// Claims are the numbers of the claims it speaks to.
func (s pageSection) Claims() (numbers []int) {
	for _, v := range s.Verdicts {
		if !slices.Contains(numbers, v.Claim) {
			numbers = append(numbers, v.Claim)
		}
	}
	return numbers
}

// sections are those of the page, in order, with different ids.
func (r *reportResult) sections() (all []pageSection) {
	seen := map[string]int{}
	for _, v := range r.results() {
		s := pageSection{section: v.section()}
		s.ID = s.Name
		if seen[s.Name]++; seen[s.Name] > 1 {
			s.ID += "-" + strconv.Itoa(seen[s.Name])
		}
		all = append(all, s)
	}
	return all
}

// writePage writes the page: one file that asks for nothing else. The results are in it as JSON, so that every number can be
// found again.
func writePage(w io.Writer, r *reportResult) error {
	results, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return pageTemplate.Execute(w, struct {
		*reportResult
		Style    template.CSS
		When     string
		Claims   []claim
		Sections []pageSection
		JSON     template.JS // json.Marshal escapes <, > and &
	}{r, template.CSS(pageStyle), r.At.Format("2 January 2006, 15:04 MST"), r.claims(), r.sections(), template.JS(results)})
}
