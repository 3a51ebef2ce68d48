package taxonomy_test

import (
	"slices"
	"strings"
	"testing"

	"kith/query/taxonomy"
	"kith/query/tokenizer"
)

func TestTitle(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"", ""},
		{"Engineer", "engineer"},
		{"Engineers", "engineer"},
		{"Rails Engineers", "rails engineer"}, // not for railways
		{"VP Eng", "vice president engineering"},
		{"VP of Engineering", "vice president engineering"},
		{"V.P. Engineering", "vice president engineering"},
		{"Vice-President, Engineering", "vice president engineering"},
		{"Vice Presidents of Sales", "vice president sales"},
		{"VPs", "vice president"},
		{"SVP Sales", "senior vice president sales"},
		{"Sr. VP", "senior vice president"},
		{"Sr. Software Engineer", "senior software engineer"},
		{"Snr Software Engineer", "senior software engineer"},
		{"Jr. Dev", "junior dev"},
		{"SWE", "software engineer"},
		{"SWEs", "software engineer"},
		{"SDE II", "software engineer ii"},
		{"PM", "product manager"},
		{"PMs", "product manager"},
		{"Prod. Mgr.", "product manager"},
		{"CTO", "chief technology officer"},
		{"Chief Technology Officer", "chief technology officer"},
		{"Chief Technical Officer", "chief technology officer"},
		{"CTOs", "chief technology officer"},
		{"C.T.O.", "chief technology officer"},
		{"CEO & Co-Founder", "chief executive officer co founder"},
		{"Cofounder and CEO", "co founder chief executive officer"},
		{"Back-End Developer", "backend developer"},
		{"Backend Developer", "backend developer"},
		{"Back End Developer", "backend developer"},
		{"Front-end engineers", "frontend engineer"},
		{"Full Stack Engineer", "fullstack engineer"},
		{"Full-Stack Dev", "fullstack developer"},
		{"Dev Ops Engineer", "devops engineer"},
		{"Head of Sales", "head sales"},
		{"Head of the Sales Team at Acme", "head sales team acme"},
		{"of the", "of the"},
		{"SRE", "site reliability engineer"},
		{"ML Engineer", "machine learning engineer"},
		{"Machine Learning Engineer", "machine learning engineer"},
		{"QA Engineer", "quality assurance engineer"},
		{"R&D Manager", "research development manager"},
		{"Research & Development Manager", "research development manager"},
		{"HRBP", "human resources business partner"},
		{"HR Business Partner", "human resources business partner"},
		{"Biz Dev", "business development"},
		{"Postsales Engineer", "postsale engineer"},
		{"Post-Sales Engineer", "postsale engineer"},
		{"User Experience Designer", "ux designer"},
		{"UX/UI Designer", "ux ui designer"},
		{"C++ Developer", "c++ developer"},
		{".NET Developer", ".net developer"},
		{"Sales Operations Analyst", "sales operations analyst"},
		{"Solutions Architects", "solution architect"},
		{"Data Analysts", "data analyst"},
		{"Secretaries", "secretary"},
		{"Coaches", "coach"},
		{"Business Analyst", "business analyst"},
		{"Logistics Manager", "logistics manager"},
		{"Program(me) Manager", "program me manager"},
		{"Programme Manager", "program manager"},
		{"Trust & Safety Lead", "trust safety lead"},
		{"Exec. Asst.", "executive assistant"},
		{"EA to CEO", "executive assistant to chief executive officer"},
		{"Software Eng", "software engineer"},
		{"Eng Manager", "engineering manager"},
		{"E-Commerce Manager", "ecommerce manager"},
		{"AI Engineer", "ai engineer"},
		{"Artificial Intelligence Engineer", "ai engineer"},
		{"RN - NICU", "registered nurse nicu"},
		{"CRA II", "clinical research associate ii"},
		{"SLP", "speech language pathologist"},
		{"Comp & Ben Specialist", "compensation benefit specialist"},
		{"Subeditor", "sub editor"},
		{"Nonexecutive Director", "non executive director"},
		{"Paediatric Dentist", "pediatric dentist"},
		{"PE Associate", "private equity associate"},
		{"Ingénieur logiciel", "engineer logiciel"},
		{"Softwareentwickler", "softwareentwickler"},
		{"高级工程师", "高 级 工 程 师"},
	} {
		if got := strings.Join(taxonomy.Title(tt.in), " "); got != tt.want {
			t.Errorf("Title(%q) = %q; want %q", tt.in, got, tt.want)
		}
	}
}

func TestFunctionsOf(t *testing.T) {
	for _, tt := range []struct{ title, want string }{
		{"", ""},
		{"Ninja", ""},
		{"Software Engineer", "engineering"},
		{"Engineering Manager", "engineering"},
		{"VP Eng", "engineering"},
		{"CTO", "engineering"},
		{"Director of Engineering", "engineering"},
		{"Veterinary Technician", "healthcare"},
		{"Radiologic Technologist", "healthcare"},
		{"CNA", "healthcare"},
		{"School Superintendent", "education"},
		{"Construction Superintendent", "manufacturing"},
		{"Tool and Die Maker", "manufacturing"},
		{"Data Center Technician", "it"},
		{"Freight Broker", "supply_chain"},
		{"Import/Export Coordinator", "supply_chain"},
		{"Head of Claims", "finance"},
		{"Actuary", "finance"},
		{"AML Analyst", "legal"},
		{"Court Reporter", "legal"},
		{"GRC Analyst", "security"},
		{"Clinical Trial Coordinator", "research"},
		{"Photojournalist", "media"},
		{"Roofer", "manufacturing"},
		{"Tree Surgeon", ""},
		{"Backend Developer", "engineering"},
		{"Solutions Architect", "engineering"},
		{"Product Manager", "product"},
		{"Head of Product", "product"},
		{"VP Product", "product"},
		{"PM", "product"},
		{"Chief Product Officer", "product"},
		{"Product Designer", "design"},
		{"UX Researcher", "design"},
		{"Head of Design", "design"},
		{"Data Scientist", "data"},
		{"Data Engineer", "data engineering"},
		{"Head of Data", "data"},
		{"Director of Analytics", "data"},
		{"Marketing Manager", "marketing"},
		{"Product Marketing Manager", "marketing"},
		{"SEO Specialist", "marketing"},
		{"CMO", "marketing"},
		{"Head of Growth", "marketing"},
		{"Account Executive", "sales"},
		{"SDR", "sales"},
		{"Sales Engineer", "sales"},
		{"VP Sales", "sales"},
		{"Business Development Manager", "sales"},
		{"CRO", "sales"},
		{"Customer Success Manager", "customer_success"},
		{"Director of Customer Success", "customer_success"},
		{"Operations Manager", "operations"},
		{"COO", "operations"},
		{"Head of Operations", "operations"},
		{"Chief of Staff", "operations"},
		{"Accountant", "finance"},
		{"CFO", "finance"},
		{"Finance Director", "finance"},
		{"Financial Analyst", "finance"},
		{"Recruiter", "people_hr"},
		{"Engineering Recruiter", "people_hr"},
		{"HR Manager", "people_hr"},
		{"Head of People", "people_hr"},
		{"Director of Talent Acquisition", "people_hr"},
		{"People Operations Manager", "people_hr"},
		{"Legal Counsel", "legal"},
		{"Attorney", "legal"},
		{"Compliance Manager", "legal"},
		{"Security Engineer", "security"},
		{"CISO", "security"},
		{"Head of Security", "security"},
		{"Trust & Safety Manager", "trust_safety"},
		{"Trust and Safety Analyst", "trust_safety"},
		{"Head of Trust & Safety", "trust_safety"},
		{"Research Scientist", "research"},
		{"Researcher", "research"},
		{"Customer Support Specialist", "support"},
		{"Support Engineer", "support"},
		{"Head of Support", "support"},
		{"System Administrator", "it"},
		{"IT Manager", "it"},
		{"Project Manager", "project_management"},
		{"Management Consultant", "consulting"},
		{"Nurse", "healthcare"},
		{"Teacher", "education"},
		{"Executive Assistant", "administration"},
		{"CEO", "general_management"},
		{"Founder", "general_management"},
		{"Head of Sales and Marketing", "sales marketing"},
		{"Director of Product & Design", "product design"},
		{"Engineer, Payments Marketing", "engineering"},
		{"Founder & CTO", "general_management engineering"},
		{"Executive Assistant to the Marketing Director", "administration"},
		{"Supply Chain Manager", "supply_chain"},
		{"Policy Manager", "policy"},
		{"Technical Writer", "communications"},
		{"QA Engineer", "quality"},
	} {
		if got := strings.Join(taxonomy.FunctionsOf(tt.title), " "); got != tt.want {
			t.Errorf("FunctionsOf(%q) = %q; want %q", tt.title, got, tt.want)
		}
	}
}

func TestEveryFunctionIsListed(t *testing.T) {
	const titles = "Engineer Designer Nurse Teacher Lobbyist Chef Realtor Editor Buyer Welder Tester Publicist"
	for title := range strings.FieldsSeq(titles) {
		if f := taxonomy.Function(title); !slices.Contains(taxonomy.Functions(), f) {
			t.Errorf("Function(%q) = %q is not in the list", title, f)
		}
	}
}

func FuzzTitle(f *testing.F) {
	for _, s := range []string{
		"VP Eng", "Sr. SWE & CTO", "Head of", "of of of", "chief officer to chief", "\xff",
		"日本 CEO", "a/b/c", "intern", "'s",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		title := taxonomy.Title(s)
		if len(title) == 0 && len(tokenizer.Tokens(s)) > 0 {
			t.Fatalf("Title(%q) is empty", s)
		}
		if level := taxonomy.Seniority(s); level != "" && !slices.Contains(taxonomy.Seniorities(), level) {
			t.Fatalf("Seniority(%q) = %q", s, level)
		}
		for _, fn := range taxonomy.FunctionsOf(s) {
			if !slices.Contains(taxonomy.Functions(), fn) {
				t.Fatalf("FunctionsOf(%q) has %q", s, fn)
			}
		}
	})
}
