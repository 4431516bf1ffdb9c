module social-login/tools/kube-linter

go 1.26.8
