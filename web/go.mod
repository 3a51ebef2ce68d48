// This file keeps Go commands out of web: packages of npm contain Go files.
module kith/web
