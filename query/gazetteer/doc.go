// Package gazetteer knows places: cities of more than 15,000 people, states, countries, regions, metro areas and
// well-known neighbourhoods, by any name that people use. [Place] gives the index values of a location, [PlacesNamed]
// the places that a name may mean, and [CityQuery] and the like the meaning of a filter. Its data is in folder data.
package gazetteer
