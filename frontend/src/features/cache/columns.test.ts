import { describe, expect, it } from 'vitest'
import { cellOf, csvOf, fileName, type Column } from './columns'

interface Row { name: string; n: number | undefined }
const columns: Column<Row>[] = [{ key: 'name', title: 'Name', of: (r) => r.name }, { key: 'n', title: 'N', of: (r) => r.n, show: (r) => `${r.n ?? 'none'} of them` }]

describe('csvOf', () => {
  it('has the keys of the API, and numbers as they are', () => {
    expect(csvOf(columns, [{ name: 'a', n: 1234.5 }, { name: '나', n: undefined }])).toBe('name,n\r\na,1234.5\r\n나,\r\n')
  })
  it('quotes what would break it', () => expect(csvOf(columns, [{ name: 'a,"b"\nc', n: 1 }])).toBe('name,n\r\n"a,""b""\nc",1\r\n'))
  it.each(['=1+1', '@SUM(A1)', '+1', '-x', '\tx'])('lets no spreadsheet take %j for a formula', (name) => {
    expect(csvOf(columns, [{ name, n: -1 }])).toBe(`name,n\r\n'${name},-1\r\n`)
  })
  it('has only numbers that are numbers', () => expect(csvOf(columns, [{ name: '', n: Number.NaN }])).toBe('name,n\r\n,\r\n'))
})

describe('cellOf', () => {
  it('shows what is to be shown, and otherwise what is there', () => {
    expect(columns.map((c) => cellOf(c, { name: 'a', n: undefined }))).toEqual(['a', 'none of them'])
  })
})

describe('fileName', () => {
  it('keeps letters of any script, and nothing that leads elsewhere', () => {
    expect(fileName(['데이터 रोज', '../etc/passwd', '\u202eturns'], 'csv')).toBe('데이터-रोज-etc-passwd-turns.csv')
  })
  it('is not long, and cuts no letter', () => expect(fileName(['क्षि'.repeat(200)], 'json')).toMatch(/^(क्षि)+\.json$/))
  it('is there when there is nothing', () => expect(fileName(['!!'], 'csv')).toBe('hearth.csv'))
})
