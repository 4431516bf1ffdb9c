module social-login/tools/pause

go 1.26
