import { parse } from 'libpg-query'

/** A node of the syntax tree: an object whose only key is its type. */
type Fields = Readonly<Record<string, unknown>>

/** A table of the FROM clause of one query, under the name that the query gives it. */
interface NamedTable {
  readonly table: string
  readonly alias: string
}

const comparing = new Set(['AEXPR_OP', 'AEXPR_OP_ANY', 'AEXPR_IN'])

/**
 * Finds the tables that a statement reads or changes without naming the site. A statement names the site of
 *
 * - a table of a SELECT, UPDATE or DELETE if the WHERE clause, an ON clause or USING compares its `site` by `=` or `in`, alone or
 *   as part of a row, and every table of the query is compared with the same value. Conditions below `or` and `not` do not count.
 * - the table of an INSERT if `site` is among its columns.
 *
 * Each subquery is a query of its own. Other statements, such as `begin` or `vacuum`, have no tables.
 *
 * @param isOfSites whether a table or view has the column `site`
 */
export async function findUnnamedTables(statement: string, isOfSites: (table: string) => boolean): Promise<string[]> {
  const tree: unknown = await parse(statement)
  const nodes = [...walk(tree)]
  const common = new Set(nodes.flatMap(([type, { ctename }]) => (type === 'CommonTableExpr' ? [String(ctename)] : [])))
  const isTable = (table: string) => !common.has(table) && isOfSites(table)
  return nodes.flatMap(([type, fields]) => {
    if (type === 'InsertStmt') {
      const [table] = tablesOf([{ RangeVar: fields.relation }])
      const columns = [...walk(fields.cols)].map(([, column]) => column.name)
      return table !== undefined && isTable(table.table) && !columns.includes('site') ? [table.table] : []
    }
    if (!['SelectStmt', 'UpdateStmt', 'DeleteStmt'].includes(type)) return []
    return findInQuery(fields, isTable)
  })
}

function findInQuery(query: Fields, isTable: (table: string) => boolean): string[] {
  const sources = [
    ...(query.relation === undefined ? [] : [{ RangeVar: query.relation }]),
    ...asList(query.fromClause ?? query.usingClause),
  ]
  const tables = tablesOf(sources).filter(({ table }) => isTable(table))
  if (tables.length === 0) return []
  const joins = sources.flatMap((source) => [...walkQuery(source)].filter(([type]) => type === 'JoinExpr'))
  const compared = [query.whereClause, ...joins.map(([, { quals }]) => quals)].flatMap(listSites)
  const usesSite = joins.some(([, { usingClause }]) => [...walk(usingClause)].some(([, { sval }]) => sval === 'site'))
  const isNamed = ({ alias }: NamedTable) => usesSite || compared.some((site) => site.of === alias || site.of === '')
  // A subquery or function of the FROM clause is a query of its own, or returns the sites that are given to it.
  const isSource = ([type, { relname }]: [string, Fields]) =>
    type === 'RangeSubselect' || type === 'RangeFunction' || (type === 'RangeVar' && !isTable(String(relname)))
  const hasValue =
    compared.some(({ isJoined }) => !isJoined) || sources.some((source) => [...walkQuery(source)].some(isSource))
  return tables.filter((table) => !hasValue || !isNamed(table)).map(({ table }) => table)

  /** The columns `site` that conjuncts of a condition compare; `isJoined`: with the `site` of another table of the query. */
  function listSites(condition: unknown): { readonly of: string; readonly isJoined: boolean }[] {
    const [[type, fields] = ['', {}]] = nodeOf(condition)
    if (type === 'BoolExpr' && fields.boolop === 'AND_EXPR') return asList(fields.args).flatMap(listSites)
    if (type === 'SubLink' && fields.subLinkType === 'ANY_SUBLINK')
      return siteColumns(fields.testexpr).map((of) => ({ of, isJoined: false }))
    if (type !== 'A_Expr' || !comparing.has(String(fields.kind)) || !isEquality(fields.name)) return []
    const [left, right] = [siteColumns(fields.lexpr), siteColumns(fields.rexpr)]
    const isOwn = (of: string) => tables.some(({ alias }) => alias === of)
    const isJoined = left.some(isOwn) && right.some(isOwn)
    return [...left, ...right].map((of) => ({ of, isJoined }))
  }
}

function isEquality(name: unknown): boolean {
  return [...walk(name)].some(([, { sval }]) => sval === '=')
}

/** The tables before the names of columns `site` in an operand; '' if the column stands alone. */
function siteColumns(operand: unknown): string[] {
  return [...walkQuery(operand)].flatMap(([type, { fields }]) => {
    if (type !== 'ColumnRef') return []
    const names = [...walk(fields)].map(([, { sval }]) => String(sval))
    return names.at(-1) === 'site' ? [names.at(-2) ?? ''] : []
  })
}

function tablesOf(sources: unknown): NamedTable[] {
  return [...walkQuery(sources)].flatMap(([type, { relname, alias }]) => {
    if (type !== 'RangeVar') return []
    const table = String(relname)
    const named: unknown = Reflect.get(Object(alias), 'aliasname')
    return [{ table, alias: typeof named === 'string' ? named : table }]
  })
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function nodeOf(value: unknown): [string, Fields][] {
  return Object.entries(Object(value))
}

/** All nodes of a tree with their types. */
function* walk(value: unknown, isEnd: (type: string) => boolean = () => false): Generator<[string, Fields]> {
  if (typeof value !== 'object' || value === null) return
  for (const [type, fields] of Object.entries(value)) {
    if (!Array.isArray(value)) {
      if (typeof fields !== 'object' || fields === null) continue
      // The parts of a union are without the key that is their type.
      const known = 'limitOption' in fields ? 'SelectStmt' : type
      if (!Array.isArray(fields)) yield [known, { ...fields }]
      if (isEnd(known)) continue
    }
    yield* walk(fields, isEnd)
  }
}

/** The nodes of one query, without those of its subqueries. */
function walkQuery(value: unknown): Generator<[string, Fields]> {
  return walk(value, (type) => type === 'RangeSubselect' || type === 'SubLink' || type === 'SelectStmt')
}
