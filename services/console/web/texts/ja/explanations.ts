import results from './explanations.json'
import fault_reasons from './fault-reasons.json'
import rejections from './rejection-explanations.json'

export const explanations = { results, fault_reasons, rejections }
