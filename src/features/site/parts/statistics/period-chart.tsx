import { Bar, BarChart, CartesianGrid, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { periodInWords } from '../../../../platform/time/period-in-words.ts'
import './period-chart.css'

export interface Series {
  key: string
  label: string
  /** The second one is lighter in every theme, also without colour. */
  tone: 'first' | 'second'
}

const tones = { first: 'var(--chart-first)', second: 'var(--chart-second)' }

const numberInWords = (value: number): string => value.toLocaleString('en-US')

/** Recharts draws into a box of this height; the width is that of its place. */
const height = 240

/**
 * One or two series over days or months. A picture for who can see it: the same figures stand in a table beside it, and
 * `label` says in one sentence what they show.
 */
export function PeriodChart({
  kind,
  label,
  series,
  points,
  formatValue = numberInWords,
}: {
  kind: 'line' | 'bars'
  label: string
  series: readonly Series[]
  points: readonly ({ period: string } & Record<string, number | string>)[]
  formatValue?: (value: number) => string
}) {
  const Chart = kind === 'line' ? LineChart : BarChart
  const axis = { tickLine: false, stroke: 'var(--color-edge)', tick: { fill: 'var(--color-soft)', fontSize: 12 } }
  return (
    <figure className="chart">
      {series.length > 1 ? (
        <figcaption className="chart-legend" aria-hidden="true">
          {series.map(({ key, label: name, tone }) => (
            <span key={key} className={`chart-key is-${tone}`}>
              {name}
            </span>
          ))}
        </figcaption>
      ) : null}
      <div role="img" aria-label={label}>
        <ResponsiveContainer width="100%" height={height} initialDimension={{ width: 320, height }}>
          <Chart
            data={[...points]}
            margin={{ top: 8, right: 8, bottom: 0, left: 0 }}
            accessibilityLayer={false}
            barCategoryGap="15%"
            maxBarSize={48}
          >
            <CartesianGrid vertical={false} stroke="var(--color-hairline)" />
            <XAxis
              {...axis}
              dataKey="period"
              tickFormatter={(period: string) => periodInWords(period)}
              minTickGap={24}
              interval="equidistantPreserveStart"
            />
            <YAxis {...axis} width={64} tickFormatter={formatValue} allowDecimals={false} domain={[0, 'auto']} />
            <Tooltip
              isAnimationActive={false}
              cursor={{ fill: 'var(--color-hover)', stroke: 'var(--color-line)' }}
              labelFormatter={(period) => (typeof period === 'string' ? periodInWords(period) : '')}
              formatter={(value) => formatValue(Number(value))}
              contentStyle={{
                border: '1px solid var(--color-line)',
                borderRadius: 'var(--radius-control)',
                background: 'var(--color-raised)',
                color: 'var(--color-ink)',
              }}
              itemStyle={{ color: 'var(--color-ink)' }}
            />
            {series.map(({ key, label: name, tone }) =>
              kind === 'line' ? (
                <Line
                  key={key}
                  dataKey={key}
                  name={name}
                  stroke={tones[tone]}
                  strokeWidth={2}
                  dot={false}
                  isAnimationActive={false}
                />
              ) : (
                <Bar key={key} dataKey={key} name={name} stackId="all" fill={tones[tone]} isAnimationActive={false} />
              ),
            )}
          </Chart>
        </ResponsiveContainer>
      </div>
    </figure>
  )
}
