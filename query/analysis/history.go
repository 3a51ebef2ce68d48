package analysis

import "kith"

// Jobs returns the current and past jobs of a person, without duplicates, in the order of their sub-documents from
// [Person]. It fails only on unreadable dates.
func Jobs(p kith.Person) (current, past []kith.Job, err error) {
	c, err := readCareer(p)
	if err != nil {
		return nil, nil, err
	}
	return records(c.current), records(c.past), nil
}

func records(jobs []job) []kith.Job {
	out := make([]kith.Job, len(jobs))
	for i, j := range jobs {
		out[i] = j.Job
	}
	return out
}
