import results from './explanations.json'
import fault_reasons from './fault-reasons.json'
import loginReasons from './login-explanations.json'
import rejectionReasons from './rejection-explanations.json'

export const explanations = { results, fault_reasons, logins: { ...rejectionReasons, ...loginReasons } }
