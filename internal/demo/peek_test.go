package demo
import ("testing";"encoding/json";"os";"time";"fmt")
func TestPeek(t *testing.T){
 t0:=time.Now()
 d,err:=New(Default()); if err!=nil{t.Fatal(err)}
 fmt.Println("new",time.Since(t0))
 e:=json.NewEncoder(os.Stdout); e.SetEscapeHTML(false)
 for i:=1;i<=12;i++{ e.Encode(d.Company(int64(i))) }
 for i:=1;i<=14;i++{ e.Encode(d.Person(int64(i))) }
 t0=time.Now(); n,j,cur,two:=0,0,0,0
 for p:=range d.People(){ n++; j+=len(p.WorkHistory); k:=0; for _,w:=range p.WorkHistory{ if w.Current(){k++} }; if k>0{cur++}; if k>1{two++} }
 fmt.Println(n,float64(j)/float64(n),float64(cur)/float64(n),float64(two)/float64(n),time.Since(t0))
}
