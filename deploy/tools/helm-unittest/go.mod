module social-login/tools/helm-unittest

go 1.26.8

replace github.com/vmware-labs/yaml-jsonpath v0.3.2 => github.com/helm-unittest/yaml-jsonpath v0.4.0

require github.com/helm-unittest/helm-unittest v1.1.0

tool github.com/helm-unittest/helm-unittest/cmd/helm-unittest
