package main

import (
	"encoding/json"
	"maps"

	"github.com/anishathalye/porcupine"
)

// The operations of the Web API on the users of a site, one after another.
var users = porcupine.Model{
	Init: func() any { return newSite(nil) },
	Step: func(state, in, out any) (bool, any) {
		before := state.(site)
		expected, after := before.step(in.(input))
		if seen := out.(*output); seen != nil && !expected.equals(*seen) {
			return false, before
		}
		return true, after
	},
	Equal: func(one, other any) bool { return one.(site).text == other.(site).text },
}

// Codes of errors in answers; 0 for success.
const (
	operationFailed   = 3
	invalidParameter  = 6
	entityNotFound    = 7
	alreadyMapped     = 8
	notLinked         = 9
	duplicatedPrimary = 16
	lastProvider      = 17
)

// A user named by one of its IDs; the other is empty.
type userID struct {
	Identifier string `json:"identifier"`
	PrimaryKey string `json:"primary_key"`
}

type input struct {
	Operation   string            `json:"operation"`
	User        userID            `json:"user"`        // of create_user: its identifier, known from the answer
	Destination userID            `json:"destination"` // of merge_user, whose source is User
	PrimaryKey  string            `json:"primary_key"` // of map and create_user
	Accounts    map[string]string `json:"accounts"`    // of create_user, by provider
	Provider    string            `json:"provider"`    // of dissociate
	Overwrite   bool              `json:"overwrite"`
	Nowarn      bool              `json:"nowarn"`
}

// What an answer says. Reads of a user show all fields.
type output struct {
	Code       int               `json:"code"`
	Identifier string            `json:"identifier"`
	PrimaryKey string            `json:"primary_key"`
	Accounts   map[string]string `json:"accounts"`
}

func (o output) equals(other output) bool {
	return o.Code == other.Code && o.Identifier == other.Identifier && o.PrimaryKey == other.PrimaryKey &&
		maps.Equal(o.Accounts, other.Accounts)
}

type user struct {
	PrimaryKey string
	Accounts   map[string]string // by provider
}

// The users of a site by identifier. Values are never changed.
type site struct {
	users map[string]user
	text  string // to compare states
}

func newSite(users map[string]user) site {
	text, err := json.Marshal(users)
	if err != nil {
		panic(err)
	}
	return site{users, string(text)}
}

// Returns the site with one user changed; nil removes it.
func (s site) with(changes map[string]*user) site {
	changed := map[string]user{}
	maps.Copy(changed, s.users)
	for identifier, value := range changes {
		if value == nil {
			delete(changed, identifier)
		} else {
			changed[identifier] = *value
		}
	}
	return newSite(changed)
}

// Returns the identifier of a user, or "" if there is none.
func (s site) find(id userID) string {
	for identifier, u := range s.users {
		if identifier == id.Identifier || (id.PrimaryKey != "" && u.PrimaryKey == id.PrimaryKey) {
			return identifier
		}
	}
	return ""
}

func (s site) isLinked(accounts map[string]string) bool {
	for _, u := range s.users {
		for provider, account := range accounts {
			if u.Accounts[provider] == account {
				return true
			}
		}
	}
	return false
}

func rejected(s site, code int) (output, site) { return output{Code: code}, s }

func (s site) step(in input) (output, site) {
	if in.Operation == "create_user" {
		return s.createUser(in)
	}
	identifier := s.find(in.User)
	if in.Operation == "merge_user" {
		return s.mergeUser(identifier, s.find(in.Destination))
	}
	if identifier == "" {
		return rejected(s, entityNotFound)
	}
	u := s.users[identifier]
	switch in.Operation {
	case "user_attribute":
		return output{0, identifier, u.PrimaryKey, u.Accounts}, s
	case "delete_user":
		return output{}, s.with(map[string]*user{identifier: nil})
	case "unmap":
		return output{}, s.with(map[string]*user{identifier: {"", u.Accounts}})
	case "map":
		return s.mapUser(identifier, in)
	case "dissociate":
		return s.dissociate(identifier, in)
	}
	panic("unknown operation " + in.Operation)
}

func (s site) createUser(in input) (output, site) {
	if s.isLinked(in.Accounts) {
		return rejected(s, invalidParameter)
	}
	if in.PrimaryKey != "" && s.find(userID{PrimaryKey: in.PrimaryKey}) != "" {
		return rejected(s, duplicatedPrimary)
	}
	return output{}, s.with(map[string]*user{in.User.Identifier: {in.PrimaryKey, in.Accounts}})
}

func (s site) mergeUser(source, destination string) (output, site) {
	if source == "" || destination == "" {
		return rejected(s, entityNotFound)
	}
	if source == destination {
		return rejected(s, invalidParameter)
	}
	from, to := s.users[source], s.users[destination]
	merged := user{to.PrimaryKey, maps.Clone(from.Accounts)}
	if merged.Accounts == nil {
		merged.Accounts = map[string]string{}
	}
	if merged.PrimaryKey == "" {
		merged.PrimaryKey = from.PrimaryKey
	}
	for provider, account := range to.Accounts {
		if _, both := from.Accounts[provider]; both {
			return rejected(s, operationFailed)
		}
		merged.Accounts[provider] = account
	}
	return output{}, s.with(map[string]*user{source: nil, destination: &merged})
}

func (s site) mapUser(identifier string, in input) (output, site) {
	u := s.users[identifier]
	if u.PrimaryKey == in.PrimaryKey {
		return output{}, s
	}
	if s.find(userID{PrimaryKey: in.PrimaryKey}) != "" {
		return rejected(s, duplicatedPrimary)
	}
	if u.PrimaryKey != "" && !in.Overwrite {
		return rejected(s, alreadyMapped)
	}
	return output{}, s.with(map[string]*user{identifier: {in.PrimaryKey, u.Accounts}})
}

func (s site) dissociate(identifier string, in input) (output, site) {
	u := s.users[identifier]
	if _, linked := u.Accounts[in.Provider]; !linked {
		return rejected(s, notLinked)
	}
	if len(u.Accounts) == 1 && !in.Nowarn {
		return rejected(s, lastProvider)
	}
	left := maps.Clone(u.Accounts)
	delete(left, in.Provider)
	return output{}, s.with(map[string]*user{identifier: {u.PrimaryKey, left}})
}
